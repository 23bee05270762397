import Machine

/// The paths of the files and folders that are denied to a program, or that the machine's policy forbids to it.
package struct DeniedPlaces: Hashable, Sendable {
  fileprivate var files: Set<AbsolutePath> = []
  fileprivate var folders: Set<AbsolutePath> = []

  package init(_ scopes: some Sequence<Scope>) {
    for scope in scopes {
      switch scope {
      case .path(let path): files.insert(path)
      case .folder(let path): folders.insert(path)
      default: break
      }
    }
  }

  var isEmpty: Bool { files.isEmpty && folders.isEmpty }
}

/// The denied files and folders, by what is at their paths now. A hard link, a bind mount, or a file system that ignores
/// the case of letters, gives them other names.
struct DeniedNames {
  private var files: [LinkedFile: [AbsolutePath]] = [:]
  private var folders: [LinkedFile: [AbsolutePath]] = [:]

  /// Looks at each place, which can take long in a file system that does not answer.
  init(_ places: DeniedPlaces) {
    for path in places.files { LinkedFile(at: path).map { files[$0, default: []].append(path) } }
    for path in places.folders { LinkedFile(at: path).map { folders[$0, default: []].append(path) } }
  }

  /// Returns the denied names, other than its own, of the file or folder that a scope is about.
  func others(of scope: Scope) -> [Scope] {
    guard let path = scope.path else { return [] }
    let names = fileNames(of: scope).filter { $0 != path }.map { Scope.path($0) }
    return (names + placesInFolders(path, scope)).sorted { $0.text < $1.text }
  }

  private func fileNames(of scope: Scope) -> [AbsolutePath] {
    guard !files.isEmpty, case .path(let path) = scope else { return [] }
    return LinkedFile(at: path).flatMap { files[$0] } ?? []
  }

  /// Returns the names of a path in the denied folders that are the path itself, or a folder above it.
  private func placesInFolders(_ path: AbsolutePath, _ scope: Scope) -> [Scope] {
    guard !folders.isEmpty else { return [] }
    return ([path] + path.parents).flatMap { above -> [Scope] in
      let denied = LinkedFile(at: above).flatMap { folders[$0] } ?? []
      return denied.filter { $0 != above }.compactMap { path.moved(from: above, to: $0) }.map {
        scope.isFolder ? .folder($0) : .path($0)
      }
    }
  }
}

extension Scope {
  fileprivate var path: AbsolutePath? {
    switch self {
    case .path(let path), .folder(let path): path
    default: nil
    }
  }

  fileprivate var isFolder: Bool { if case .folder = self { true } else { false } }
}

extension AbsolutePath {
  /// Returns the path of the same entry if the folder above it, or itself, has another path.
  fileprivate func moved(from folder: AbsolutePath, to other: AbsolutePath) -> AbsolutePath? {
    try? AbsolutePath(other.bytes + bytes.dropFirst(folder == .root ? 0 : folder.bytes.count))
  }
}

extension LinkedFile {
  /// The file that is at a path now; `nil` if there is none. A link is a file of its own: denying it says nothing about
  /// the file to which it leads.
  fileprivate init?(at path: AbsolutePath) {
    guard let status = FileStatus(path.bytes, followingLinks: false) else { return nil }
    self.init(device: status.device, inode: status.inode)
  }
}
