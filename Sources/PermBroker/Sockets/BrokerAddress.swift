import Machine

/// The address of a store's broker: the folder that holds the broker's sockets. The broker and its clients find the
/// folder in the same way.
package struct BrokerAddress: Hashable, Sendable {
  /// The folder that holds the sockets.
  package let folder: String

  package init(folder: String) {
    self.folder = folder
  }

  package func path(of socket: BrokerSocket) -> String { "\(folder)/\(socket.rawValue)" }

  /// The maximum length of a socket's path in bytes. The system reserves 108 bytes, including one for the terminator.
  static let longestPath = 107

  /// Whether the system accepts the paths of all sockets.
  var fits: Bool { BrokerSocket.allCases.allSatisfy { path(of: $0).utf8.count <= Self.longestPath } }
}

extension BrokerAddress {
  /// Returns the folders that a store's broker might use, in order of preference.
  ///
  /// The candidates are a folder in `$XDG_RUNTIME_DIR`, a folder in `/run/user/UID` (because cron, `su` and containers
  /// leave that variable unset), and a folder beside the store. Every store except the default one has folders of its
  /// own, so a store used for a trial never takes over the sockets of the real one. Clients try all candidates, because
  /// the broker might have chosen one in a different environment.
  ///
  /// - Parameters:
  ///   - store: The absolute path of the store's file.
  ///   - isDefault: Whether this is the store that is used when no store is named.
  ///   - runtimeFolder: The value of `XDG_RUNTIME_DIR`.
  static func candidates(store: String, isDefault: Bool, runtimeFolder: String?) -> [BrokerAddress] {
    let mark = isDefault ? "" : "-" + fingerprint(store)
    let given = runtimeFolder.flatMap { $0.hasPrefix("/") ? $0 : nil }
    let usual = "/run/user/\(Users.current)"
    // Only folders that are private to this user are accepted.
    let runtimeFolders = [given, given == usual ? nil : usual].compactMap(\.self).filter {
      FileStatus($0, followingLinks: false)?.isPrivateFolder(of: Users.current) ?? false
    }
    let besideStore = store.folderOfPath + "/run" + mark
    return (runtimeFolders.map { "\($0)/permtui\(mark)" } + [besideStore])
      .map(BrokerAddress.init(folder:)).filter(\.fits)
  }

  /// Returns the folders that the broker of the user's default store might use, according to the user database. No
  /// environment variable has any influence on them.
  package static func ofUser() -> [BrokerAddress] {
    guard let home = Users.homeFolder, let store = StoreLocation.usualPath(environment: ["HOME": home]) else {
      return []
    }
    return candidates(store: store, isDefault: true, runtimeFolder: nil)
  }

  /// Returns sixteen hexadecimal digits derived from a path (FNV-1a), which keep the folders of different stores apart.
  /// It is very unlikely that two paths have the same digits and therefore share a folder.
  private static func fingerprint(_ path: String) -> String {
    let hash = path.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// The sockets of a broker. Only the `ask` socket can safely be passed into a sandbox.
public enum BrokerSocket: String, Sendable, CaseIterable {
  /// The socket over which programs ask for permission and look up their own status.
  case ask
  /// The socket over which people answer requests and make changes.
  case control
  /// The socket over which Deno asks, in the protocol of its own permission broker.
  case deno
}
