import Machine

/// A repository that git finds from a folder, and that nobody else can change.
struct GitRepository: Sendable {
  let root: AbsolutePath
  private let home: String?
  private let systemSettings: String

  /// Looks for the repository that git would use; `nil` if there is none, or if git could see it differently.
  init?(from folder: AbsolutePath, home: String?, systemSettings: String) {
    (self.home, self.systemSettings) = (home, systemSettings)
    let device = FileStatus(folder.bytes)?.device
    for folder in [folder] + folder.parents {
      let text = String(decoding: folder.bytes, as: UTF8.self)
      // Git does not look beyond a mount, and neither does this.
      guard let status = FileStatus(folder.bytes), status.device == device else { return nil }
      if FileStatus("\(text)/.git", followingLinks: false) != nil {
        root = folder
        guard isSound else { return nil }
        return
      }
      // Without .git, git regards a folder with these entries as a repository. A commit can contain such a folder.
      if FileStatus("\(text)/HEAD") != nil, FileStatus("\(text)/objects") != nil { return nil }
    }
    return nil
  }

  private var path: String { String(decoding: root.bytes, as: UTF8.self) }

  private func inGit(_ name: String) -> String { "\(path)/.git/\(name)" }

  /// Whether all is there that git wants, nobody else can change it, and nothing leads to another repository.
  private var isSound: Bool {
    let isOurs =
      Self.isOurs(path, .folder) && Self.isOurs("\(path)/.git", .folder)
      && Self.isOurs(inGit("config"), .file)
      && ["objects", "refs"].allSatisfy { Self.isOurs(inGit($0), .folder) }
      && (isMissing("hooks") || Self.isOurs(inGit("hooks"), .folder))
    return isOurs && hasHead
      && ["commondir", "gitdir", "config.worktree", "objects/info/alternates", "modules"].allSatisfy(
        isMissing)
  }

  private func isMissing(_ name: String) -> Bool { FileStatus(inGit(name), followingLinks: false) == nil }

  private var hasHead: Bool {
    guard Self.isOurs(inGit("HEAD"), .file), let text = Files.text(of: inGit("HEAD"), limit: 4096) else {
      return false
    }
    return text.hasPrefix("ref: refs/") || text.prefix { $0.isHexDigit }.utf8.count == 40
  }

  private static func isOurs(_ path: String, _ kind: FileStatus.Kind) -> Bool {
    guard let status = FileStatus(path, followingLinks: false), status.kind == kind else { return false }
    return (status.isOwn || status.owner == 0) && !status.isWritableByOthers
  }

  // MARK: Programs that git would run

  /// The greatest size of the list of files that is read, in bytes.
  private static let longestIndex = 1 << 24

  /// Returns the reason in words why git could run a program with a line, or use other files than those of the repository;
  /// `nil` if it could not.
  func obstacle(for line: FormLine) -> String? {
    let isSending = line.form.effect == .sends
    for hook in isSending ? Self.hooksOfPush : Self.hooksOfLooking where isExecutable(hook) {
      return "git would run .git/hooks/\(hook)"
    }
    if let reason = obstacleInSettings(isSending) { return reason }
    return hasNoSubmodules
      ? nil : "the repository could have submodules, whose settings count as well"
  }

  /// Returns the form of a line, with the address to which it sends; `nil` if that is not another machine's only one.
  func form(of line: FormLine) -> CommandForm? {
    guard let remote = line.remote else { return line.form }
    return GitSettings(at: inGit("config"), isProject: true)?.address(of: remote).map(line.form.sending)
  }

  private static let hooksOfLooking = ["post-index-change", "fsmonitor-watchman"]
  private static let hooksOfPush = hooksOfLooking + ["pre-push", "reference-transaction", "pre-auto-gc"]

  private func isExecutable(_ hook: String) -> Bool {
    guard let status = FileStatus(inGit("hooks/\(hook)")) else { return !isMissing("hooks/\(hook)") }
    return status.mode & 0o111 != 0
  }

  private func obstacleInSettings(_ isSending: Bool) -> String? {
    guard let home else { return "your home folder is not known" }
    for file in [systemSettings, "\(home)/.config/git/config", "\(home)/.gitconfig", inGit("config")] {
      let isOfRepository = file == inGit("config")
      guard let settings = GitSettings(at: file, isProject: isOfRepository) else {
        return "git's settings in \(HomeFolder.shortened(file, home: home)) cannot be read for certain"
      }
      if let key = settings.firstHarmful(isOfRepository: isOfRepository, whenSending: isSending) {
        return "git's settings in \(HomeFolder.shortened(file, home: home)) have \(VisibleText.brief(key))"
      }
    }
    return nil
  }

  private var hasNoSubmodules: Bool {
    guard !isMissing("index") else { return true }
    guard let bytes = try? Files.bytes(of: inGit("index"), limit: Self.longestIndex),
      bytes.count < Self.longestIndex
    else { return false }
    return GitIndex(bytes)?.hasSubmodules == false
  }
}
