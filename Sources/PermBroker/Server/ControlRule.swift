import Machine
import PermModel

/// The rule that a program cannot answer its own request: it decides whether a process at the socket `control` may
/// change anything.
///
/// A process may not change anything while it or one of its ancestors has a request waiting, nor if it runs in other
/// namespaces than the broker. This stops an eager program, but not a hostile one, since an orphan has lost its
/// ancestors.
enum ControlRule {
  /// A reason why a process may not change anything.
  enum Objection: Hashable, Sendable {
    /// The process has ended, or cannot be read.
    case unknown
    case elsewhere(Namespace)
    case descends(from: WaitingRequest)
  }

  /// Returns the objection to a change by this process; `nil` if it may change something.
  static func objection(to caller: ControlCaller, asking: [WaitingRequest]) -> Objection? {
    guard caller.isHeld, !caller.lineage.isEmpty else { return .unknown }
    if let namespace = caller.foreign { return .elsewhere(namespace) }
    for member in caller.lineage where !member.isPersonsShell {
      if let asker = asking.first(where: { $0.process == member.identity }) { return .descends(from: asker) }
    }
    return nil
  }
}

/// The facts about a process that calls at the socket `control`.
struct ControlCaller: Hashable, Sendable {
  /// A caller or one of its ancestors.
  struct Member: Hashable, Sendable {
    var identity: ProcessIdentity
    /// Whether it is an interactive shell that leads its terminal's session, so that a person started the programs in
    /// it.
    var isPersonsShell = false
  }

  /// The process and its ancestors; empty if the process has ended.
  var lineage: [Member]
  /// A namespace of the process that the broker does not share.
  var foreign: Namespace?
  /// Whether the process really holds the connection.
  var isHeld = true
}

extension ControlRule.Objection {
  /// The message to the person, with advice on what to do.
  var words: String {
    switch self {
    case .unknown: "it cannot be told which process asks for this; run the command again, from a terminal"
    case .elsewhere(let namespace):
      "this process is in another \(namespace.rawValue) namespace than the broker, as in a sandbox, and may only "
        + "look; run the command outside"
    case .descends(let waiting):
      "\(waiting.request.subject.label) has a request waiting, and what it started may change nothing until that is answered; "
        + "answer from another terminal"
    }
  }

  /// Returns the journal's record of the refused attempt.
  func attempt(at method: String, by caller: Subject) -> AutomaticAnswer {
    let why =
      switch self {
      case .unknown: "but cannot be told"
      case .elsewhere(let namespace): "from another \(namespace.rawValue) namespace"
      case .descends: "while its own request waits"
      }
    var attempt = AutomaticAnswer(
      .deny, subject: caller, capability: nil, atoms: [], reason: "tried to use \(method) \(why)")
    attempt.kind = .refused
    if case .descends(from: let asker) = self {
      attempt.subject = asker.request.subject
      attempt.capability = asker.request.capability
      attempt.atoms = asker.request.atoms
    }
    return attempt
  }
}

/// Inspects the process that is calling at the socket `control`.
struct ControlWitness: Sendable {
  let look: @Sendable (Peer) -> ControlCaller
}

extension ControlWitness {
  /// A witness that inspects the processes of this machine.
  init() {
    look = { peer in
      ControlCaller(
        lineage: Self.lineage(of: peer.pid), foreign: Namespace.foreign(of: peer.pid),
        isHeld: !Namespace.canRead(peer.pid) || peer.isHeld(by: peer.pid))
    }
  }

  private static let longestLineage = 256

  /// Returns the process and its ancestors. A parent that started later than its child is another process that reuses
  /// the number.
  private static func lineage(of process: Int32) -> [ControlCaller.Member] {
    var lineage: [ControlCaller.Member] = []
    var next = process
    while next > 0, lineage.count < longestLineage, let stat = ProcessStat(of: next),
      stat.startTime <= lineage.last?.identity.startTime ?? .max
    {
      lineage.append(
        .init(
          identity: ProcessIdentity(pid: next, startTime: stat.startTime),
          isPersonsShell: stat.terminal != nil && stat.session == next && isInteractiveShell(next)))
      next = stat.parent
    }
    return lineage
  }

  private static func isInteractiveShell(_ process: Int32) -> Bool {
    guard let snapshot = LinuxProcessTable().process(process),
      let interpreter = snapshot.executable.flatMap({ Interpreter.named($0.name) })
    else { return false }
    return interpreter.isShell && [.nothing, .input].contains(interpreter.input(of: snapshot.arguments))
  }
}
