import Dispatch
import Glibc

/// Tells which files of a folder changed, as the kernel reports it.
final class FolderWatch: Sendable {
  /// Stands for any file, where the kernel lost count or the folder itself is gone.
  static let everything = "*"

  private let inotify: Inotify

  /// - Parameter noticed: called on the queue with the names of the files that changed.
  init(
    folder: String, queue: DispatchQueue, noticed: @escaping @Sendable (Set<String>) -> Void
  ) throws(StoreError) {
    do throws(Inotify.Refusal) {
      inotify = try Inotify(queue: queue) { events in
        noticed(Set(events.map { $0.name.isEmpty ? FolderWatch.everything : $0.name }))
      }
      try inotify.watch(folder, for: FolderWatch.mask)
    } catch {
      throw .system(path: folder, call: error.call, errno: error.code)
    }
  }

  func cancel() { inotify.cancel() }

  private static let mask =
    IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
    | IN_MOVE_SELF
}
