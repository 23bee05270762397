import CFuse
import Machine

/// An operation that the kernel waits for. It is answered exactly once, on any thread.
struct Request: @unchecked Sendable, Hashable {
  let raw: fuse_req_t

  init?(_ raw: fuse_req_t?) {
    guard let raw else { return nil }
    self.raw = raw
  }

  /// The process that asks, as the warden sees it; 0 if the kernel itself asks.
  var process: Int32 { fuse_req_ctx(raw)?.pointee.pid ?? 0 }

  /// Whether the warden itself asks, for a call that it makes for a program inside.
  var isOfWarden: Bool { FileStatus("/proc/self/task/\(process)") != nil }

  func fail(_ failure: Failure) { fuse_reply_err(raw, failure.code) }
  func succeed() { fuse_reply_err(raw, 0) }

  func answer(_ entry: inout fuse_entry_param) { fuse_reply_entry(raw, &entry) }
  func answer(_ status: inout stat, validFor seconds: Double) { fuse_reply_attr(raw, &status, seconds) }
  func answer(written count: Int) { fuse_reply_write(raw, count) }
  func answer(_ bytes: UnsafeRawBufferPointer) {
    fuse_reply_buf(raw, bytes.bindMemory(to: CChar.self).baseAddress, bytes.count)
  }
}
