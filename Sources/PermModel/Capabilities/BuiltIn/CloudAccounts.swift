/// The configured cloud accounts: rclone's remotes, and the GNOME Online Accounts that give access to files.
struct CloudAccounts {
  struct Account: Hashable, Sendable {
    /// The name that selects the account, for example the name of an rclone remote.
    var name: String
    /// The kind of account, for example `drive` or `google`.
    var kind: String
  }

  let files: [String]
  private let rclone: String
  private let gnome: String
  private let fileSystem = FileSystem()

  init(_ environment: ProbeEnvironment) {
    rclone = "\(environment.configHome)/rclone/rclone.conf"
    gnome = "\(environment.configHome)/goa-1.0/accounts.conf"
    files = [rclone, gnome]
  }

  /// Returns all accounts, those of rclone first.
  func accounts() -> [Account] {
    let remotes = sections(of: rclone).map { Account(name: $0.name, kind: $0.values["type"] ?? "rclone") }
    let online = sections(of: gnome).filter { $0.values["FilesEnabled"] == "true" }
      .map { section in
        Account(
          name: section.values["PresentationIdentity"] ?? section.values["Identity"] ?? section.name,
          kind: section.values["Provider"] ?? "online account")
      }
    return remotes + online
  }

  /// Returns the availability of the account with this name, or of any account if the name is `nil`.
  func availability(of container: String?) -> Availability {
    let found = accounts()
    if let container, found.contains(where: { $0.name == container }) {
      return .available(found: "account \(container)")
    }
    if container == nil, !found.isEmpty {
      return .available(found: found.map(\.name).joinedInWords())
    }
    if let locked = files.first(where: { fileSystem.entry(at: $0) != nil && fileSystem.text(of: $0) == nil })
    {
      return .undetermined("\(locked) cannot be read", remedy: "give your user the right to read that file")
    }
    let missing = container.map { "no cloud account is called \($0)" } ?? "no cloud account is configured"
    return .missing(missing, remedy: "run rclone config, or add an account in GNOME's settings")
  }

  /// Returns the sections of a file, or none if the file cannot be read. An encrypted rclone configuration has no
  /// sections.
  private func sections(of path: String) -> [KeyFile.Section] {
    fileSystem.text(of: path).map { KeyFile($0).sections } ?? []
  }
}
