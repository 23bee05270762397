import CFuse
import CWalls
import Machine

/// The thread that serves the shadow, and what wakes it: operations of the kernel, changed rulings, broken leases.
enum ShadowServer {
  /// Serves the kernel's operations that come through a descriptor of the device, until the file system is gone. Returns
  /// whether it could begin.
  static func serve(_ device: Int32, _ settings: ShadowSettings, _ signals: Signals) -> Bool {
    let holder = Shadow.Holder()
    var table = Operations.table
    var arguments = fuse_args(argc: 0, argv: nil, allocated: 0)
    let size = MemoryLayout<fuse_lowlevel_ops>.size
    let opaque = Unmanaged.passUnretained(holder).toOpaque()
    guard let session = withNoArguments(&arguments, { fuse_session_new($0, &table, size, opaque) }),
      fuse_session_mount(session, "/dev/fd/\(device)") == 0,
      let shadow = try? Shadow(settings, session: session, wake: { signals.wake() })
    else { return false }
    holder.hold(shadow)
    settings.rulings.onChange { signals.wake() }
    shadow.askAtStart(settings.startSet, of: settings.first)
    withExtendedLifetime(holder) { run(session, shadow, signals) }
    return true
  }

  /// libfuse wants a program name.
  private static func withNoArguments<Result>(
    _ arguments: inout fuse_args, _ body: (UnsafeMutablePointer<fuse_args>) -> Result
  ) -> Result {
    var name: [CChar] = "permtui-run".utf8CString.map(\.self)
    return name.withUnsafeMutableBufferPointer { name in
      var pointers = [name.baseAddress, nil]
      return pointers.withUnsafeMutableBufferPointer { pointers in
        arguments = fuse_args(argc: 1, argv: pointers.baseAddress, allocated: 0)
        return body(&arguments)
      }
    }
  }

  /// The milliseconds after which a lock that is held outside is tried again.
  private static let lockPatience: Int32 = 3

  private static func run(_ session: OpaquePointer, _ shadow: Shadow, _ signals: Signals) {
    var buffer = fuse_buf()
    let kernel = fuse_session_fd(session)
    while fuse_session_exited(session) == 0 {
      let patience = shadow.lockWaiters.isEmpty ? -1 : lockPatience
      let ready = walls_wait(kernel, signals.rulings, signals.leases, patience)
      if ready & 2 != 0 {
        signals.acknowledge()
        shadow.rulingsChanged()
      }
      if ready & 4 != 0 { signals.brokenLeases().forEach(shadow.giveAway) }
      if ready & 1 != 0, !process(session, &buffer) { return }
      shadow.withdrawInterrupted()
      if !shadow.lockWaiters.isEmpty { shadow.tryWaiters() }
    }
  }

  /// Takes one operation from the kernel. Returns whether there can be more.
  private static func process(_ session: OpaquePointer, _ buffer: inout fuse_buf) -> Bool {
    let count = fuse_session_receive_buf(session, &buffer)
    if count == -EINTR || count == -EAGAIN { return true }
    guard count > 0 else { return false }
    fuse_session_process_buf(session, &buffer)
    return true
  }
}

/// The descriptors that wake the thread that serves the shadow, besides the kernel.
struct Signals: Sendable {
  /// An event descriptor: rulings may have changed.
  let rulings: Int32
  /// A pipe with the numbers of descriptors whose leases others want to break.
  let leases: Int32

  init() throws(SystemError) {
    rulings = walls_event()
    var pipes: [Int32] = [-1, -1]
    guard rulings >= 0, walls_pipe(&pipes) == 0, walls_watch_leases(pipes[1]) == 0 else {
      throw SystemError("prepare the shadow", code: walls_error())
    }
    leases = pipes[0]
  }

  func wake() { eventfd_write(rulings, 1) }

  func acknowledge() {
    var count: UInt64 = 0
    eventfd_read(rulings, &count)
  }

  func brokenLeases() -> [Int32] {
    var numbers = [Int32](repeating: -1, count: 64)
    let count = read(leases, &numbers, numbers.count * MemoryLayout<Int32>.size)
    return count <= 0 ? [] : Array(numbers[..<(count / MemoryLayout<Int32>.size)])
  }
}
