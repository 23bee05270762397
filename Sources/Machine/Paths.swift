import Glibc

package enum Paths {
  /// Returns the absolute path of a folder that a variable names, without slashes at its end; `nil` for anything else.
  package static func folder(_ variable: String?) -> String? {
    guard var path = variable, path.hasPrefix("/") else { return nil }
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  /// Returns the path as an absolute path. A relative path is resolved from the current folder.
  package static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = string(getcwd(nil, 0)) else { return path }
    return folder + "/" + path
  }

  /// Returns the path of an existing file after following all links; `nil` if there is no such file.
  package static func resolved(_ path: String) -> String? { string(realpath(path, nil)) }

  /// Returns the path of an existing file after following all links. Both paths are bytes, which need not be valid
  /// UTF-8.
  package static func resolved(_ path: [UInt8]) -> [UInt8]? {
    let text = path.map { CChar(bitPattern: $0) } + [0]
    guard let pointer = realpath(text, nil) else { return nil }
    defer { free(pointer) }
    return Array(UnsafeRawBufferPointer(start: pointer, count: strlen(pointer)))
  }

  /// Returns the target of a symbolic link; `nil` if it cannot be read.
  package static func target(ofLink path: String) -> String? {
    targetBytes(ofLink: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the bytes of the target of a symbolic link, which need not be valid UTF-8; `nil` if it cannot be read.
  package static func targetBytes(ofLink path: String) -> [UInt8]? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { text in
      let count = text.baseAddress.map { readlink(path, $0, text.count) } ?? -1
      return count < 0 ? nil : Array(UnsafeRawBufferPointer(text)[..<count])
    }
  }

  private static func string(_ pointer: UnsafeMutablePointer<CChar>?) -> String? {
    guard let pointer else { return nil }
    defer { free(pointer) }
    return String(cString: pointer)
  }
}

extension String {
  /// The part of a path after the last slash.
  package var lastPathPart: String {
    guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return self }
    return String(self[utf8.index(after: slash)...])
  }

  /// The path of the folder that contains this path, without a trailing slash.
  package var folderOfPath: String {
    guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    guard let end = self[..<slash].utf8.lastIndex(where: { $0 != UInt8(ascii: "/") }) else { return "/" }
    return String(self[...end])
  }
}
