@preconcurrency package import Dispatch
import Glibc

/// The kernel's notifications of changes in folders. This class needs no thread of its own, and uses no
/// processor time while nothing happens.
package final class Inotify: Sendable {
  package struct Event: Hashable, Sendable {
    /// The watch descriptor that ``Inotify/watch(_:for:)`` returned; -1 if the kernel had to discard events.
    package var watch: Int32
    /// The name of the entry in the watched folder; empty if the event concerns the folder itself.
    package var name: String
  }

  /// The kinds of changes that a watch reports.
  package struct Changes: OptionSet, Sendable {
    package let rawValue: Int32
    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// Entries that are created in the folder or moved into it.
    package static let arrivals = Changes(rawValue: IN_CREATE | IN_MOVED_TO)
    /// Entries that are deleted from the folder or moved out of it.
    package static let departures = Changes(rawValue: IN_DELETE | IN_MOVED_FROM)
    /// Every write to a file.
    package static let writes = Changes(rawValue: IN_MODIFY)
    /// The closing of files that were open for writing.
    package static let closings = Changes(rawValue: IN_CLOSE_WRITE)
    /// Changes of modes, owners and times.
    package static let attributes = Changes(rawValue: IN_ATTRIB)
    /// The removal of the folder itself.
    package static let removal = Changes(rawValue: IN_DELETE_SELF)
    /// A move of the folder itself.
    package static let move = Changes(rawValue: IN_MOVE_SELF)
  }

  private let descriptor: Int32
  private let source: any DispatchSourceRead

  /// - Parameters:
  ///   - rest: The shortest time between two calls of `noticed`; `nil` for none. The kernel merges equal events that
  ///     nobody has read.
  ///   - noticed: Called on `queue` with all events that have happened since the last call.
  package init(
    queue: DispatchQueue = Readable.queue, resting rest: DispatchTimeInterval? = nil,
    noticed: @escaping @Sendable ([Event]) -> Void
  ) throws(SystemError) {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { throw SystemError("inotify_init1") }
    self.descriptor = descriptor
    let take: @Sendable () -> Void = {
      let events = Inotify.take(from: descriptor)
      if !events.isEmpty { noticed(events) }
    }
    source =
      if let rest {
        Readable.source(of: descriptor, on: queue, closing: true, resting: rest, take)
      } else {
        Readable.source(of: descriptor, on: queue, closing: true, take)
      }
  }

  deinit { source.cancel() }

  package func cancel() { source.cancel() }

  /// Adds a watch, and returns its watch descriptor. Must not be called after ``cancel()``.
  @discardableResult
  package func watch(_ path: String, for changes: Changes) throws(SystemError) -> Int32 {
    let watch = inotify_add_watch(descriptor, path, UInt32(changes.rawValue))
    guard watch >= 0 else { throw SystemError("inotify_add_watch", path) }
    return watch
  }

  /// Reads all available events.
  private static func take(from descriptor: Int32) -> [Event] {
    var events: [Event] = []
    while true {
      let bytes = [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, count in
        count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
      }
      if bytes.isEmpty { return events }
      events += bytes.withUnsafeBytes(Inotify.events)
    }
  }

  /// Parses events in the kernel's layout: a header, followed by a name padded with zeros.
  private static func events(in buffer: UnsafeRawBufferPointer) -> [Event] {
    var events: [Event] = []
    let header = MemoryLayout<inotify_event>.size
    var offset = 0
    while offset + header <= buffer.count {
      let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      let end = min(offset + header + Int(event.len), buffer.count)
      let name = buffer[(offset + header)..<end].prefix { $0 != 0 }
      events.append(Event(watch: event.wd, name: String(decoding: name, as: UTF8.self)))
      offset = end
    }
    return events
  }
}

/// A watch on a folder. It reports the names of changed files as soon as the kernel notices the changes. While a file is
/// written to again and again, it reports that only every two milliseconds.
package final class FolderWatch: Sendable {
  /// The name that is reported if any file might have changed. This is the case if the kernel had to discard events, or
  /// if the event concerns the folder itself.
  package static let everything = "*"

  private let changes: Inotify
  private let writes: Inotify

  /// The shortest time between two reports of writes. A commit of the store writes to its log a dozen times, and each
  /// report wakes two threads.
  private static let rest = DispatchTimeInterval.milliseconds(2)

  /// - Parameter noticed: Called on `queue` with the names of the files that changed.
  package init(
    folder: String, queue: DispatchQueue, noticed: @escaping @Sendable (Set<String>) -> Void
  ) throws(SystemError) {
    let take: @Sendable ([Inotify.Event]) -> Void = { events in
      noticed(Set(events.map { $0.name.isEmpty ? FolderWatch.everything : $0.name }))
    }
    changes = try Inotify(queue: queue, noticed: take)
    writes = try Inotify(queue: queue, resting: Self.rest, noticed: take)
    try changes.watch(folder, for: [.arrivals, .departures, .attributes, .removal, .move])
    try writes.watch(folder, for: .writes)
  }

  package func cancel() {
    changes.cancel()
    writes.cancel()
  }
}
