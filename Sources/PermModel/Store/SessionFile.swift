import Dispatch
import Machine

/// The random id of a session, in a folder that is removed at log-out and reboot.
struct SessionFile: Sendable {
  var folder: String?
  /// The session's id if there is no such folder.
  var fallback: String

  /// The id of the present session, which the first caller creates.
  @Sendable func id() -> String {
    guard let folder, isPrivate(folder) else { return fallback }
    let path = "\(folder)/\(Self.name)"
    if let id = read(path) { return id }
    _ = Files.makeAtOnce(path, text: RandomID.make() + "\n")
    return read(path) ?? fallback
  }

  /// Waits until a session is no longer the present one, and returns whether that is so: `false` if it lasts as long as
  /// the boot, or if the task is cancelled. Does not create a new session.
  func untilEnd(of id: String) async -> Bool {
    guard let folder, isPrivate(folder) else { return false }
    let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let watch = try? FolderWatch(folder: folder, queue: DispatchQueue(label: "permtui.session")) { names in
      if !names.isDisjoint(with: [Self.name, FolderWatch.everything]) { change.yield() }
    }
    guard let watch else { return false }
    defer { watch.cancel() }
    while !Task.isCancelled {
      if read("\(folder)/\(Self.name)") != id { return true }
      for await _ in changes { break }
    }
    return false
  }

  private static let name = "session"

  private func read(_ path: String) -> String? {
    let text = Files.text(of: path, limit: 4096, followingLinks: false)
    guard let id = text?.split(separator: "\n").first, id.count == 32 else { return nil }
    return String(id)
  }

  /// Creates the folder if its parent exists, and accepts it only if nobody else can write to it.
  private func isPrivate(_ folder: String) -> Bool {
    Folder.makeOne(folder)
    return FileStatus(folder, followingLinks: false)?.isPrivateFolder() ?? false
  }
}
