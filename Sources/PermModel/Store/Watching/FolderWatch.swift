@preconcurrency import Dispatch
import Glibc

/// Tells which files of a folder changed, as the kernel reports it. Uses nothing while nothing changes.
final class FolderWatch: Sendable {
  /// Stands for any file, where the kernel lost count or the folder itself is gone.
  static let everything = "*"

  private let source: any DispatchSourceRead

  /// - Parameter noticed: called on the queue with the names of the files that changed.
  init(
    folder: String, queue: DispatchQueue, noticed: @escaping @Sendable (Set<String>) -> Void
  ) throws(StoreError) {
    let file = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard file >= 0 else { throw StoreError.system(path: folder, call: "inotify_init1", errno: errno) }
    guard inotify_add_watch(file, folder, FolderWatch.mask) >= 0 else {
      let error = StoreError.system(path: folder, call: "inotify_add_watch", errno: errno)
      close(file)
      throw error
    }
    source = DispatchSource.makeReadSource(fileDescriptor: file, queue: queue)
    source.setEventHandler {
      let names = FolderWatch.names(in: file)
      if !names.isEmpty { noticed(names) }
    }
    source.setCancelHandler { close(file) }
    source.activate()
  }

  deinit { source.cancel() }

  func cancel() { source.cancel() }

  private static let mask = UInt32(
    IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
      | IN_MOVE_SELF)

  /// Takes all events that are there.
  private static func names(in file: Int32) -> Set<String> {
    var names: Set<String> = []
    while true {
      let bytes = [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, count in
        count = max(0, read(file, buffer.baseAddress, buffer.count))
      }
      if bytes.isEmpty { return names }
      names.formUnion(FolderWatch.names(in: bytes))
    }
  }

  /// Reads events as the kernel lays them out: a header of 16 bytes, of which the last four hold the length of
  /// the name that follows, padded with zeros.
  private static func names(in bytes: [UInt8]) -> Set<String> {
    var names: Set<String> = []
    var rest = bytes[...]
    while rest.count >= 16 {
      let header = rest.prefix(16)
      let length = header.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: 12, as: UInt32.self)) }
      let name = rest.dropFirst(16).prefix(length).prefix { $0 != 0 }
      names.insert(name.isEmpty ? everything : String(decoding: name, as: UTF8.self))
      rest = rest.dropFirst(16 + length)
    }
    return names
  }
}
