/// A path as a program spelled it. Only a look at the file system tells which file the program means.
package struct SpelledPath: Hashable, Sendable {
  /// The bytes of the path. It can be relative, and it can contain `..`.
  package let bytes: [UInt8]
  /// Whether the folder at the path is meant with everything below it.
  package let isFolder: Bool

  /// - Throws: ``ScopeError`` if the path is empty, is too long, or contains a NUL.
  package init(_ bytes: [UInt8], isFolder: Bool) throws(ScopeError) {
    guard !bytes.isEmpty else { throw .empty }
    guard bytes.count <= AbsolutePath.longest else {
      throw .tooLong(bytes: bytes.count, most: AbsolutePath.longest)
    }
    guard !bytes.contains(0) else { throw .containsNUL }
    self.bytes = bytes
    self.isFolder = isFolder
  }

  /// Creates a spelling from a scope; `nil` if the scope contains no path.
  package init?(_ scope: Scope) {
    switch scope {
    case .path(let path): (bytes, isFolder) = (path.bytes, false)
    case .folder(let path): (bytes, isFolder) = (path.bytes, true)
    default: return nil
    }
  }
}

extension ScopeFields {
  /// Creates the fields for a path as it is spelled.
  package init(_ spelled: SpelledPath) {
    let text = String(validating: spelled.bytes, as: UTF8.self)
    let escaped = text == nil ? Scope.escaped(spelled.bytes) : nil
    (path, escapedPath) = spelled.isFolder ? (nil, nil) : (text, escaped)
    (folder, escapedFolder) = spelled.isFolder ? (text, escaped) : (nil, nil)
  }

  /// Returns the path that the fields contain, as it is spelled; `nil` if they contain something else.
  package func spelledPath() throws(ScopeError) -> SpelledPath? {
    let isAlone = [host, domain, command, form, lines, name, names].allSatisfy { $0 == nil } && port == nil
    switch (path, escapedPath, folder, escapedFolder) {
    case (let path?, nil, nil, nil) where isAlone: return try SpelledPath(Array(path.utf8), isFolder: false)
    case (nil, let path?, nil, nil) where isAlone:
      return try SpelledPath(try Scope.unescaped(path), isFolder: false)
    case (nil, nil, let folder?, nil) where isAlone:
      return try SpelledPath(Array(folder.utf8), isFolder: true)
    case (nil, nil, nil, let folder?) where isAlone:
      return try SpelledPath(try Scope.unescaped(folder), isFolder: true)
    default: return nil
    }
  }
}

extension Scope {
  /// Returns the scope of an entry, or of a folder with everything below it. The root is always meant as a folder, because
  /// its text form has no other reading.
  package static func found(_ path: AbsolutePath, isFolder: Bool) -> Scope {
    isFolder || path == .root ? .folder(path) : .path(path)
  }
}
