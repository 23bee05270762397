import Foundation

/// The number of watches that this process has on a folder, as the kernel reports them.
struct FolderWatches {
  private let mark: String

  init(on folder: String) throws {
    let attributes = try FileManager.default.attributesOfItem(atPath: folder)
    let inode = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0
    mark = "ino:\(String(inode, radix: 16)) "
  }

  var count: Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo")) ?? []
    let texts = names.compactMap { try? String(contentsOfFile: "/proc/self/fdinfo/\($0)", encoding: .utf8) }
    return texts.flatMap { $0.split(separator: "\n") }
      .filter { $0.hasPrefix("inotify") && $0.contains(mark) }.count
  }

  /// Waits until none is left; stops after two seconds, and then returns false.
  func untilNone() async -> Bool {
    let deadline = ContinuousClock.now + .seconds(2)
    while count > 0 {
      if ContinuousClock.now > deadline { return false }
      await Task.yield()
    }
    return true
  }
}
