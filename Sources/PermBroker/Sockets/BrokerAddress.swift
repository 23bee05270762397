import Machine

/// Where the broker of one store has its sockets: a folder, found in the same way by those who listen and those
/// who connect.
public struct BrokerAddress: Hashable, Sendable {
  /// The folder that holds the two sockets.
  public let folder: String

  public init(folder: String) {
    self.folder = folder
  }

  /// The path of a socket.
  public func path(of socket: BrokerSocket) -> String { "\(folder)/\(socket.rawValue)" }

  /// Bytes that the path of a socket may have: the system keeps 108, one of them for the end.
  static let longestPath = 107

  /// Whether the system can take the paths of both sockets.
  var fits: Bool {
    BrokerSocket.allCases.allSatisfy { path(of: $0).utf8.count <= Self.longestPath }
  }
}

extension BrokerAddress {
  /// The folders that the broker of a store may use, the best first.
  ///
  /// That is a folder in `$XDG_RUNTIME_DIR`, in `/run/user/UID` where the variable is not set (cron, `su`, containers),
  /// and else one beside the store. A store other than the default one has folders of its own, so that a trial never
  /// takes the sockets of the real one. Whoever connects tries all of them: the broker may have been started where
  /// another one was the best.
  ///
  /// - Parameters:
  ///   - store: The absolute path of the store's file.
  ///   - isDefault: Whether that is the store that is used when none is named.
  ///   - runtimeFolder: The value of `XDG_RUNTIME_DIR`.
  ///   - user: The number of the user, this process's own unless given.
  public static func candidates(
    store: String, isDefault: Bool, runtimeFolder: String?, user: UInt32? = nil
  ) -> [BrokerAddress] {
    let user = user ?? Users.current
    let mark = isDefault ? "" : "-" + fingerprint(store)
    let given = runtimeFolder.flatMap { $0.hasPrefix("/") ? $0 : nil }
    let usual = "/run/user/\(user)"
    var runtimeFolders = given.map { [$0] } ?? []
    if given != usual { runtimeFolders.append(usual) }
    let besideStore = store.folderOfPath + "/run" + mark
    return
      (runtimeFolders.filter { isPrivate($0, to: user) }.map { "\($0)/permtui\(mark)" } + [besideStore])
      .map(BrokerAddress.init(folder:)).filter(\.fits)
  }

  /// A folder that no other user can put anything into.
  private static func isPrivate(_ folder: String, to user: UInt32) -> Bool {
    FileStatus(folder, followingLinks: false)?.isPrivateFolder(of: user) ?? false
  }

  /// Sixteen digits that follow from a path and keep stores apart (FNV-1a). Two paths with the same digits would
  /// share a broker's folder, where the second is refused because the lock names the first.
  private static func fingerprint(_ path: String) -> String {
    let hash = path.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// The two doors of a broker. Only `ask` may ever be given to a sandbox.
public enum BrokerSocket: String, Sendable, CaseIterable {
  /// Programs ask here, and look up their own status.
  case ask
  /// Persons answer and change here.
  case control
}
