import CFuse
import Dispatch

/// The copies that the kernel keeps of the shadow, and the ways to tell it that they are no longer true.
struct KernelCache: @unchecked Sendable {
  private let session: OpaquePointer
  /// To drop pages, the kernel may have to wait for operations that are still to be answered. So it is done on a thread
  /// of its own, never on the one that answers.
  private let queue = DispatchQueue(label: "permtui-run.pages")

  init(_ session: OpaquePointer) { self.session = session }

  /// Makes the kernel ask again for a file's size and times. This does not wait.
  func dropStatus(of node: UInt) { fuse_lowlevel_notify_inval_inode(session, fuse_ino_t(node), -1, 0) }

  /// Makes the kernel drop the pages of a file, then calls a closure. Mappings of the file are read again.
  func dropPages(of node: UInt, then: @escaping @Sendable () -> Void = {}) {
    queue.async {
      fuse_lowlevel_notify_inval_inode(session, fuse_ino_t(node), 0, 0)
      then()
    }
  }

  /// Does work that may take long, such as waiting for a disk.
  func later(_ work: @escaping @Sendable () -> Void) { Self.disks.async(execute: work) }

  private static let disks = DispatchQueue(label: "permtui-run.disks", attributes: .concurrent)
}
