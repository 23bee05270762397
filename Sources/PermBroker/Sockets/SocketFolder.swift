import Machine

/// A folder for sockets that only its owner can enter.
enum SocketFolder {
  /// Creates the folder if it is missing, and checks that nobody but its owner can reach its contents.
  static func prepare(_ path: String) throws(BrokerSocketError) {
    do throws(SystemError) {
      try Folder.make(path)
    } catch {
      throw .system("\(error.attempting("make the folder \(error.path ?? path)"))")
    }
    try check(path)
  }

  /// Checks a folder that exists.
  ///
  /// - Throws: ``BrokerSocketError`` if the folder is a symbolic link, belongs to somebody else, or is open to others.
  static func check(_ path: String) throws(BrokerSocketError) {
    guard let status = FileStatus(path, followingLinks: false) else {
      throw .system("\(SystemError("look at \(path)"))")
    }
    guard status.kind == .folder else { throw .notAFolder(path) }
    guard status.isOwn else { throw .foreignOwner(path, user: status.owner) }
    guard !status.isOpenToOthers else { throw .openToOthers(path, mode: status.mode & 0o777) }
  }
}

/// A reason why sockets cannot be used.
public enum BrokerSocketError: Error, Hashable, CustomStringConvertible {
  case notAFolder(String)
  case foreignOwner(String, user: UInt32)
  case openToOthers(String, mode: UInt32)
  /// The socket paths of every candidate are longer than the system allows.
  case pathTooLong(store: String)
  /// Another broker serves this store.
  case inUse(lock: String)
  case nobodyListens
  /// The process that listens at this path does not accept connections, because it is stopped or overloaded.
  case doesNotAnswer(String)
  /// A call to the system failed, described in words.
  case system(String)

  public var description: String {
    switch self {
    case .notAFolder(let path):
      "\(path) is not a folder (a symbolic link does not count); move it away"
    case .foreignOwner(let path, let user):
      "\(path) belongs to user \(user), not to you; it is not used"
    case .openToOthers(let path, let mode):
      "\(path) is open to others (mode \(String(mode, radix: 8))); run: chmod 700 \(path)"
    case .pathTooLong(let store):
      "the socket's path would be longer than \(BrokerAddress.longestPath) bytes; set XDG_RUNTIME_DIR, or move "
        + "the store \(store) to a shorter path"
    case .inUse(let lock): "another broker serves this store (it holds \(lock))"
    case .nobodyListens: "no broker is running for this store"
    case .doesNotAnswer(let path): "the broker at \(path) does not answer; it is stopped or overloaded"
    case .system(let words): words
    }
  }
}
