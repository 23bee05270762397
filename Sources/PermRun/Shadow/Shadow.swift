import CFuse
import CWalls
import Machine
import PermModel

/// The root file system of the programs behind the walls: the host's tree, in which each use has to be allowed.
///
/// All of its state belongs to the thread that serves the kernel's operations. That thread never waits: neither for a
/// person, nor for a lock, nor for pages that the kernel can only give up once others of its operations are answered.
final class Shadow {
  var nodes: NodeTable
  var handles: [UInt64: Handle] = [:]
  private var nextHandle: UInt64 = 1
  let rulings: any Rulings
  let hidden: HiddenNames
  let answering = AnsweringFileSystems.current
  /// The names that no folder can be moved with: native folders, and those of which there are private copies.
  let fixed: [AbsolutePath]
  let notes: Notes
  /// The operations that wait for an answer of a person.
  var questions = Questions<FileUse, WaitingOperation>()
  var asked = Asked()
  var start = StartGroup()
  let answerer: any QuestionAnswerer
  /// Wakes the thread that serves the kernel's operations.
  let wake: @Sendable () -> Void
  var companions = Companions()
  /// The operations that wait for a lock.
  var lockWaiters: [LockWaiter] = []
  /// The operations that the kernel no longer waits for.
  var interrupted: [Request] = []
  let kernel: KernelCache
  let user: UInt32
  let group: UInt32
  private let mostHandles: Int

  /// An operation that is tried again once its question is answered.
  struct WaitingOperation {
    var request: Request
    var proceed: () -> Void
  }

  init(
    _ settings: ShadowSettings, session: OpaquePointer, wake: @escaping @Sendable () -> Void
  ) throws(Failure) {
    nodes = try NodeTable(mostOpen: settings.mostNodes, copies: settings.copies?.layers)
    rulings = settings.rulings
    (answerer, self.wake) = (settings.answerer, wake)
    (hidden, fixed) = (settings.hidden, settings.native + (settings.copies?.layers.roots ?? []))
    notes = settings.notes
    (user, group) = (settings.user, settings.group)
    mostHandles = settings.mostNodes / 2
    kernel = KernelCache(session)
  }

  /// Makes sure that one more file can be opened, so that the warden always has descriptors left for its own work.
  func checkRoom() throws(Failure) {
    guard handles.count < mostHandles else { throw Failure(ENFILE) }
  }

  func open(_ handle: Handle) -> UInt64 {
    defer { nextHandle += 1 }
    // A file that is opened although no decision allows it was allowed this time.
    handle.isGranted = handle.use.map { rulings.ruling(on: $0) == .open } ?? false
    handles[nextHandle] = handle
    return nextHandle
  }

  func handle(_ number: UInt64) throws(Failure) -> Handle {
    guard let handle = handles[number] else { throw Failure(EBADF) }
    return handle
  }
}

/// The settings that a shadow has from the start.
struct ShadowSettings: Sendable {
  var rulings: any Rulings
  var answerer: any QuestionAnswerer
  var hidden: HiddenNames
  var native: [AbsolutePath]
  var notes: Notes
  var user: UInt32
  var group: UInt32
  /// The largest number of descriptors that are held for names.
  var mostNodes: Int
  /// The files that the program reads at its start, which are asked about as one group.
  var startSet: [FileUse]
  /// The private copies of the run; `nil` if it has none.
  var copies: RunCopies?
  /// The first process of the run.
  var first: Int32
}

// MARK: - Asking

extension Shadow {
  /// Performs an operation once all of its uses are allowed.
  ///
  /// The uses are found again after each wait. If a file was moved meanwhile, the answer was about another path, and the
  /// question is about the new one.
  func perform(
    _ request: Request, _ uses: @escaping () throws(Failure) -> [FileUse],
    _ body: @escaping () throws(Failure) -> Void
  ) {
    do throws(Failure) {
      for use in try uses() {
        switch try ruling(on: use) {
        case .allowed: continue
        case .denied, .suspended: throw .denied
        case .open:
          ask(use, for: request) { [unowned self] in perform(request, uses, body) }
          return
        }
      }
      try body()
    } catch {
      request.fail(error)
    }
  }

  /// Performs an operation that needs no permission.
  func perform(_ request: Request, _ body: () throws(Failure) -> Void) {
    do throws(Failure) { try body() } catch { request.fail(error) }
  }

  func ruling(on use: FileUse) throws(Failure) -> Ruling {
    if hidden.contain(use.path) { throw use.part == .read ? .hidden : .denied }
    if use.isWhole, hidden.areBelow(use.path) { return .denied }
    let ruling = rulings.ruling(on: use.ofCopy(false))
    if ruling == .denied { asked.denied.insert(use) }
    if use.isCopy {
      if ruling == .suspended { return ruling }
      return asked.denied.contains(use) ? .denied : .allowed
    }
    return ruling == .open ? rulingOfRun(on: use) : ruling
  }

  /// The use of a file or folder for reading; `nil` if nobody needs to be asked.
  func read(_ node: Node) throws(Failure) -> FileUse? {
    let path = try nodes.reachedPath(of: node)
    if node.isCopy, !nodes.isMerged(node) { return .read(path).ofCopy(true) }
    return SystemFiles.contain(path, try status(of: node)) ? nil : .read(counting(path, node.identity))
  }

  func write(_ node: Node, isWhole: Bool = false) throws(Failure) -> FileUse {
    FileUse.write(counting(try nodes.reachedPath(of: node), node.identity), isWhole: isWhole)
      .ofCopy(nodes.isCopied(node))
  }

  /// The path of an entry, whether or not it exists.
  func path(_ name: Name, in parent: Node) throws(Failure) -> AbsolutePath {
    guard !parent.isForeign else { throw .denied }
    return try nodes.reachedPath(of: parent).entry(name)
  }
}

// MARK: - Interruptions

extension Shadow {
  /// Makes sure that ``withdrawInterrupted()`` learns that the program no longer waits for an operation.
  ///
  /// This is never undone: an answered request is gone, and must not be touched.
  func onInterrupt(of request: Request) {
    fuse_req_interrupt_func(
      request.raw,
      { raw, _ in
        guard let request = Request(raw) else { return }
        Shadow.of(request).interrupted.append(request)
      }, nil)
  }

  /// Ends the waiting operations that the kernel no longer waits for. Their questions are withdrawn.
  func withdrawInterrupted() {
    guard !interrupted.isEmpty else { return }
    let ended = Set(interrupted)
    interrupted = []
    let operations = questions.remove { ended.contains($0.request) }.map(\.request)
    let waiters = lockWaiters.filter { ended.contains($0.request) }.map(\.request)
    lockWaiters.removeAll { ended.contains($0.request) }
    for request in operations + waiters { request.fail(Failure(EINTR)) }
    withdrawQuestions()
  }
}
