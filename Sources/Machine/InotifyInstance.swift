@preconcurrency import Dispatch

/// The inotify instance of this process, which all its followers share. The kernel has few of them: usually 128 for all
/// programs of a user together.
///
/// If it has none left, the watched paths are compared once a second, until it has one again. The same happens with single
/// paths for which it has no watch left.
package final class InotifyInstance: Sendable {
  package static let shared = InotifyInstance()

  /// A number of the kernel that is used up.
  package enum Shortage: String, Sendable, CaseIterable {
    case instances = "fs.inotify.max_user_instances"
    case watches = "fs.inotify.max_user_watches"

    /// The number as it is set; `nil` without `/proc`.
    package var limit: String? {
      Files.text(of: "/proc/sys/\(rawValue.split(separator: ".").joined(separator: "/"))")
        .map { String($0.prefix { !$0.isNewline }) }
    }
  }

  /// The time between two comparisons of paths that the kernel does not watch.
  private static let rest = DispatchTimeInterval.seconds(1)

  private let queue = DispatchQueue(label: "permtui.inotify")
  private let state = Lock(InotifyState())
  private let open: @Sendable () -> Int32
  /// A signal that ``shortage`` has changed.
  private let shortageSignal = ChangeSignal()

  /// - Parameter open: Makes an instance, and returns its descriptor, or -1.
  package init(open: (@Sendable () -> Int32)? = nil) {
    self.open = open ?? { InotifyKernel.open() }
  }

  /// The number that is used up, so that changes are noticed only once a second; `nil` if the kernel reports them.
  package var shortage: Shortage? { state.withLock(\.shortage) }

  /// Returns a stream of signals that ``shortage`` might have changed. Its first element is sent immediately.
  package func shortageChanges() -> AsyncStream<Void> { shortageSignal.changes() }

  /// Adds a follower, and returns its number.
  func join(_ listener: @escaping InotifyState.Listener) -> Int {
    state.withLock { state in
      if state.listeners.isEmpty { start(&state) }
      return state.join(listener)
    }
  }

  func leave(_ follower: Int) {
    let last = state.withLock { $0.leave(follower) }
    last?.cancel()
    tellShortage()
  }

  /// Adds a watch, and returns its number.
  func add(_ watch: WatchedPath) throws(SystemError) -> Int32 {
    let number = try state.withLock { state throws(SystemError) in try state.add(watch) }
    guard state.withLock({ $0.isUnwatched(number) }) else { return number }
    let look = PathLook(watch.path)
    state.withLock { $0.watches[number]?.look = look }
    compareSoon()
    tellShortage()
    return number
  }

  /// Makes an instance of the kernel, and reads from it.
  private func start(_ state: inout InotifyState) {
    let descriptor = open()
    guard descriptor >= 0 else { return }
    state.descriptor = descriptor
    state.source = Readable.source(of: descriptor, on: queue, closing: true) { [weak self] in
      self?.take(InotifyKernel.read(from: descriptor))
    }
  }

  private func tellShortage() {
    let isNew = state.withLock { state in
      defer { state.toldShortage = state.shortage }
      return state.toldShortage != state.shortage
    }
    if isNew { shortageSignal.send() }
  }

  private func take(_ events: [InotifyKernel.Event]) {
    for call in state.withLock({ $0.calls(for: events) }) { call.listener(call.events) }
  }
}

// MARK: Without the kernel's help

extension InotifyInstance {
  /// Compares the paths that the kernel does not watch a second from now, and again each second while there are any.
  private func compareSoon() {
    let isFirst = state.withLock { state in
      defer { state.isComparing = true }
      return !state.isComparing
    }
    guard isFirst else { return }
    queue.asyncAfter(deadline: .now() + Self.rest) { [weak self] in self?.compare() }
  }

  private func compare() {
    let looked = state.withLock { state in
      state.isComparing = false
      let looked = state.unwatched
      if !looked.isEmpty, state.descriptor < 0 { start(&state) }
      state.watchAgain(looked.keys)
      return looked
    }
    // From here on the kernel reports changes of the paths that it watches now, so none is missed.
    let changed = looked.mapValues { PathLook($0.path) }.filter { $0.value != looked[$0.key]?.look }
    for call in state.withLock({ $0.calls(for: changed) }) { call.listener(call.events) }
    guard !looked.isEmpty else { return }
    if shortage != nil { compareSoon() }
    tellShortage()
  }
}

// MARK: Checking

extension InotifyInstance {
  /// Finds out which number is used up now.
  package static func findShortage() -> Shortage? { InotifyKernel.findShortage() }
}
