import PermModel

/// A use of a file that has to be allowed.
struct FileUse: Hashable, Sendable {
  enum Part: String, Sendable { case read, write }

  let part: Part
  let path: AbsolutePath
  /// Whether everything below the path is meant, as when a folder is moved.
  let isWhole: Bool
  /// The meaning of the path to git.
  let repository: RepositoryName

  static func read(_ path: AbsolutePath) -> FileUse {
    FileUse(part: .read, path: path, isWhole: false, repository: .outside)
  }

  static func write(_ path: AbsolutePath, isWhole: Bool = false) -> FileUse {
    FileUse(part: .write, path: path, isWhole: isWhole, repository: RepositoryName(path))
  }

  /// The use of a name by git for its own data, whatever the name is.
  static func writeGitData(_ path: AbsolutePath) -> FileUse {
    FileUse(part: .write, path: path, isWhole: false, repository: .data)
  }

  var scope: Scope { isWhole ? .folder(path) : .path(path) }
  var atom: Atom { Atom("files", part.rawValue, scope) }
  /// The use as it is written on the command line.
  var text: String { "files:\(part.rawValue)@\(scope.text)" }
}
