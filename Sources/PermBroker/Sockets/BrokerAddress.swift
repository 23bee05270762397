import Machine

/// The folder with the sockets of one store's broker, found in the same way by the broker and its clients.
package struct BrokerAddress: Hashable, Sendable {
  /// The folder that holds the two sockets.
  package let folder: String

  package init(folder: String) {
    self.folder = folder
  }

  /// The path of a socket.
  package func path(of socket: BrokerSocket) -> String { "\(folder)/\(socket.rawValue)" }

  /// The longest socket path in bytes: the system reserves 108, one of them for the terminator.
  static let longestPath = 107

  /// Whether the system accepts the paths of both sockets.
  var fits: Bool { BrokerSocket.allCases.allSatisfy { path(of: $0).utf8.count <= Self.longestPath } }
}

extension BrokerAddress {
  /// The folders that a store's broker may use, the best first.
  ///
  /// The candidates are a folder in `$XDG_RUNTIME_DIR`, or in `/run/user/UID` if the variable is not set (cron, `su`,
  /// containers), and one beside the store. Every store except the default one has folders of its own, so that a trial
  /// never takes the sockets of the real one. Clients try all of them, because a different folder may have been the
  /// best one in the broker's surroundings.
  ///
  /// - Parameters:
  ///   - store: The absolute path of the store's file.
  ///   - isDefault: Whether the store is the one that is used when none is named.
  ///   - runtimeFolder: The value of `XDG_RUNTIME_DIR`.
  static func candidates(store: String, isDefault: Bool, runtimeFolder: String?) -> [BrokerAddress] {
    let mark = isDefault ? "" : "-" + fingerprint(store)
    let given = runtimeFolder.flatMap { $0.hasPrefix("/") ? $0 : nil }
    let usual = "/run/user/\(Users.current)"
    // Nobody but this user can put anything into these.
    let runtimeFolders = [given, given == usual ? nil : usual].compactMap(\.self).filter {
      FileStatus($0, followingLinks: false)?.isPrivateFolder(of: Users.current) ?? false
    }
    let besideStore = store.folderOfPath + "/run" + mark
    return (runtimeFolders.map { "\($0)/permtui\(mark)" } + [besideStore])
      .map(BrokerAddress.init(folder:)).filter(\.fits)
  }

  /// Sixteen digits derived from a path to keep stores apart (FNV-1a). Two paths with the same digits would share a
  /// broker's folder; the second broker would be refused because the lock names the first.
  private static func fingerprint(_ path: String) -> String {
    let hash = path.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// The two entrances of a broker. Only `ask` may ever be given to a sandbox.
public enum BrokerSocket: String, Sendable, CaseIterable {
  /// Programs ask here, and look up their own status.
  case ask
  /// People answer and make changes here.
  case control
}
