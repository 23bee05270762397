import Machine

/// A file that holds the random ID of a session. The file's folder is removed at log-out and at reboot.
struct SessionFile: Sendable {
  var folder: String?
  /// The ID to use for the session if the folder or the file cannot be used.
  var fallback: String

  /// Returns the ID of the current session. The first call in a session creates the ID.
  @Sendable func id() -> String {
    guard let folder, isPrivate(folder) else { return fallback }
    let path = "\(folder)/\(Self.name)"
    if let id = read(path) { return id }
    _ = Files.makeAtOnce(path, text: RandomID.make() + "\n")
    return read(path) ?? fallback
  }

  /// Waits until a session has ended, and then returns `true`. Returns `false` if the session lasts until the next
  /// reboot, if it cannot be watched, or if the task is cancelled. Never creates a session ID.
  func untilEnd(of id: String) async -> Bool {
    guard let folder, isPrivate(folder) else { return false }
    let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let watch = Inotify { events in
      if events.contains(where: { $0.name.isEmpty || $0.name == Self.name }) { change.yield() }
    }
    defer { watch.cancel() }
    guard (try? watch.watch(folder, for: [.arrivals, .departures, .closings, .removal, .move])) != nil else {
      return false
    }
    change.yield()
    for await _ in changes where read("\(folder)/\(Self.name)") != id { return true }
    return false
  }

  private static let name = "session"

  private func read(_ path: String) -> String? {
    let text = Files.text(of: path, limit: 4096, followingLinks: false)
    guard let id = text?.split(separator: "\n").first, id.count == 32 else { return nil }
    return String(id)
  }

  /// Creates the folder if it is missing and its parent exists. Returns whether the folder is private, which
  /// means that only its owner can write to it.
  private func isPrivate(_ folder: String) -> Bool {
    Folder.makeOne(folder)
    return FileStatus(folder, followingLinks: false)?.isPrivateFolder() ?? false
  }
}
