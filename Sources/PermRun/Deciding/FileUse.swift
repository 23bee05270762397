import PermBroker
import PermModel

/// A use of a file that has to be allowed.
struct FileUse: AskedUse {
  enum Part: String, Sendable { case read, write }

  let part: Part
  let path: AbsolutePath
  /// Whether everything below the path is meant, as when a folder is moved.
  let isWhole: Bool
  /// The meaning of the path to git.
  let repository: RepositoryName
  /// Whether a socket of the host is meant, which may be a door to everything. No folder covers it.
  var isSocket = false
  /// Whether a private copy of the run is meant, which nothing outside reads.
  var isCopy = false

  static func read(_ path: AbsolutePath, isWhole: Bool = false) -> FileUse {
    FileUse(part: .read, path: path, isWhole: isWhole, repository: .outside)
  }

  static func write(_ path: AbsolutePath, isWhole: Bool = false) -> FileUse {
    FileUse(part: .write, path: path, isWhole: isWhole, repository: RepositoryName(path))
  }

  /// The use of a name by git for its own data, whatever the name is.
  static func writeGitData(_ path: AbsolutePath) -> FileUse {
    FileUse(part: .write, path: path, isWhole: false, repository: .data)
  }

  /// The connection to a socket of the host.
  static func socket(_ path: AbsolutePath) -> FileUse {
    FileUse(part: .write, path: path, isWhole: false, repository: .outside, isSocket: true)
  }

  func ofCopy(_ isCopy: Bool) -> FileUse {
    var use = self
    use.isCopy = isCopy
    return use
  }

  var scope: Scope { isWhole ? .folder(path) : .path(path) }
  var atom: Atom { Atom("files", part.rawValue, scope) }
  var caution: RunQuestion.Caution? { isSocket ? .socket : nil }
}
