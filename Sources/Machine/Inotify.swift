@preconcurrency package import Dispatch

/// A follower of changes in files and folders. All followers of a process share one inotify instance of the kernel, need no
/// thread of their own, and use no processor time while nothing happens.
package final class Inotify: Sendable {
  package struct Event: Hashable, Sendable {
    /// The number that ``Inotify/watch(_:for:once:)`` returned; -1 if the kernel had to discard events.
    package var watch: Int32
    /// The name of the entry in the watched folder; empty if the event concerns the path itself.
    package var name: String
  }

  /// The kinds of changes that a watch reports.
  package struct Changes: OptionSet, Sendable {
    package let rawValue: Int32
    package init(rawValue: Int32) { self.rawValue = rawValue }
  }

  private let instance: InotifyInstance
  private let number: Int

  /// - Parameter noticed: Called on `queue` with events that have happened since the last call.
  package init(
    at instance: InotifyInstance = .shared, queue: DispatchQueue = Readable.queue,
    noticed: @escaping @Sendable ([Event]) -> Void
  ) {
    self.instance = instance
    number = instance.join { events in queue.async { noticed(events) } }
  }

  deinit { instance.leave(number) }

  package func cancel() { instance.leave(number) }

  /// Adds a watch, and returns its number. If the path is watched already, that watch reports these changes, too.
  ///
  /// - Parameter once: Whether the watch ends with the first event. A file that is written to a dozen times in a row then
  ///   causes one event.
  /// - Throws: The reason why the path cannot be watched, for example that it does not exist.
  @discardableResult
  package func watch(_ path: String, for changes: Changes, once: Bool = false) throws(SystemError) -> Int32 {
    try instance.add(WatchedPath(path: path, changes: changes, isOnce: once, follower: number))
  }
}
