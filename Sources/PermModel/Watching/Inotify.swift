@preconcurrency import Dispatch
import Glibc

/// The kernel's notices of what happens in folders. Uses nothing while nothing happens, and no thread of its own.
final class Inotify: Sendable {
  struct Event: Hashable, Sendable {
    /// The number that adding the watch gave; -1 where the kernel lost count.
    var watch: Int32
    /// The name in the watched folder; empty for the folder itself.
    var name: String
  }

  /// A call that the kernel refused.
  struct Refusal: Error {
    var call: String
    var code: Int32
  }

  private let descriptor: Int32
  private let source: any DispatchSourceRead

  /// - Parameter noticed: called on the queue with all that happened since it was last called.
  init(queue: DispatchQueue, noticed: @escaping @Sendable ([Event]) -> Void) throws(Refusal) {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { throw Refusal(call: "inotify_init1", code: errno) }
    self.descriptor = descriptor
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler {
      let events = Inotify.take(from: descriptor)
      if !events.isEmpty { noticed(events) }
    }
    source.setCancelHandler { close(descriptor) }
    source.activate()
  }

  deinit { source.cancel() }

  func cancel() { source.cancel() }

  /// Adds a watch, and gives its number. Not to be called after ``cancel()``.
  @discardableResult
  func watch(_ path: String, for events: Int32) throws(Refusal) -> Int32 {
    let watch = inotify_add_watch(descriptor, path, UInt32(events))
    guard watch >= 0 else { throw Refusal(call: "inotify_add_watch", code: errno) }
    return watch
  }

  /// Takes all events that are there.
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

  /// Reads events as the kernel lays them out: a header, and behind it a name that is padded with zeros.
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
