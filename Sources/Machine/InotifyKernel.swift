import Glibc

extension Inotify.Changes {
  /// Entries that are created in the folder or moved into it.
  package static let arrivals = Self(rawValue: IN_CREATE | IN_MOVED_TO)
  /// Entries that are deleted from the folder or moved out of it.
  package static let departures = Self(rawValue: IN_DELETE | IN_MOVED_FROM)
  /// Every write to a file.
  package static let writes = Self(rawValue: IN_MODIFY)
  /// The closing of files that were open for writing.
  package static let closings = Self(rawValue: IN_CLOSE_WRITE)
  /// Changes of modes, owners and times.
  package static let attributes = Self(rawValue: IN_ATTRIB)
  /// The removal of the folder itself.
  package static let removal = Self(rawValue: IN_DELETE_SELF)
  /// A move of the folder itself.
  package static let move = Self(rawValue: IN_MOVE_SELF)
}

/// The kernel's functions for inotify instances.
enum InotifyKernel {
  /// Makes an instance, and returns its descriptor; -1 if the user has none left.
  static func open() -> Int32 { inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)) }

  /// Adds changes to what is reported about a path. Returns the watch descriptor; `nil` if the user has no watch left.
  ///
  /// - Parameter descriptor: An instance; -1 if the user has none left.
  static func watch(
    _ path: String, for changes: Inotify.Changes, in descriptor: Int32
  ) throws(SystemError) -> Int32? {
    guard descriptor >= 0 else {
      guard Files.exists(path) else { throw SystemError("inotify_add_watch", path) }
      return nil
    }
    let found = inotify_add_watch(descriptor, path, UInt32(changes.rawValue) | UInt32(IN_MASK_ADD))
    guard found < 0 else { return found }
    guard errno == ENOSPC || errno == ENOMEM else { throw SystemError("inotify_add_watch", path) }
    return nil
  }

  static func end(_ watch: Int32, in descriptor: Int32) { inotify_rm_watch(descriptor, watch) }

  /// Finds out which number is used up, by means of an instance that is closed at once.
  static func findShortage() -> InotifyInstance.Shortage? {
    let descriptor = open()
    guard descriptor >= 0 else { return .instances }
    defer { close(descriptor) }
    return inotify_add_watch(descriptor, "/", UInt32(IN_DELETE_SELF)) < 0 ? .watches : nil
  }

  struct Event {
    /// The kernel's watch descriptor.
    var watch: Int32
    var mask: UInt32
    /// The name of the entry in the watched folder; empty if the event concerns the path itself.
    var name: String

    /// Whether the kernel had to discard events.
    var isOverflow: Bool { mask & UInt32(IN_Q_OVERFLOW) != 0 }
    /// Whether the kernel has ended the watch, for example because the file was deleted.
    var isEnd: Bool { mask & UInt32(IN_IGNORED) != 0 }

    func concerns(_ changes: Inotify.Changes) -> Bool {
      isEnd || mask & (UInt32(changes.rawValue) | UInt32(IN_UNMOUNT)) != 0
    }
  }

  /// Reads all available events.
  static func read(from descriptor: Int32) -> [Event] {
    var events: [Event] = []
    while true {
      let bytes = [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, count in
        count = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
      }
      if bytes.isEmpty { return events }
      events += bytes.withUnsafeBytes(parse)
    }
  }

  /// Parses events in the kernel's layout: a header, followed by a name padded with zeros.
  private static func parse(_ buffer: UnsafeRawBufferPointer) -> [Event] {
    var events: [Event] = []
    let header = MemoryLayout<inotify_event>.size
    var offset = 0
    while offset + header <= buffer.count {
      let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      let end = min(offset + header + Int(event.len), buffer.count)
      let name = buffer[(offset + header)..<end].prefix { $0 != 0 }
      events.append(Event(watch: event.wd, mask: event.mask, name: String(decoding: name, as: UTF8.self)))
      offset = end
    }
    return events
  }
}
