import PermModel

/// The rule that a program which asks cannot answer: what a process at the socket `control` may do beside looking.
///
/// It may change nothing while a program from which it descends has a request waiting, nor from other namespaces than
/// the broker's. This holds against an eager program, not against a hostile one: an orphan descends from nothing.
enum ControlRule {
  /// Why a process may change nothing.
  enum Objection: Hashable, Sendable {
    /// It is gone, or cannot be read.
    case unknown
    case elsewhere(Namespace)
    case descends(from: WaitingRequest)
  }

  /// What stands against a change by the process that was read; `nil` if it may.
  static func objection(to caller: ControlCaller, asking: [WaitingRequest]) -> Objection? {
    guard caller.isHeld, !caller.lineage.isEmpty else { return .unknown }
    if let namespace = caller.foreign { return .elsewhere(namespace) }
    for member in caller.lineage where !member.isPersonsShell {
      if let asker = asking.first(where: { $0.process == member.identity }) { return .descends(from: asker) }
    }
    return nil
  }
}

/// What was read of a process that calls at `control`.
struct ControlCaller: Hashable, Sendable {
  /// One process among a caller and its ancestors.
  struct Member: Hashable, Sendable {
    var identity: ProcessIdentity
    /// An interactive shell that leads its terminal's session. What runs in it, a person started.
    var isPersonsShell: Bool

    init(_ identity: ProcessIdentity, isPersonsShell: Bool = false) {
      self.identity = identity
      self.isPersonsShell = isPersonsShell
    }
  }

  /// The process and its ancestors; empty if it is gone.
  var lineage: [Member]
  /// A namespace in which it is and the broker is not.
  var foreign: Namespace?
  /// Whether the process really holds the connection.
  var isHeld: Bool

  init(lineage: [Member], foreign: Namespace? = nil, isHeld: Bool = true) {
    self.lineage = lineage
    self.foreign = foreign
    self.isHeld = isHeld
  }
}

extension ControlRule.Objection {
  /// What a person is told, with what to do.
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

  /// The refused attempt as the journal tells it.
  func attempt(at method: String, by caller: Subject) -> AutomaticAnswer {
    let (subject, capability, atoms, why): (Subject, String?, Set<Atom>, String) =
      switch self {
      case .unknown: (caller, nil, [], "but cannot be told")
      case .elsewhere(let namespace): (caller, nil, [], "from another \(namespace.rawValue) namespace")
      case .descends(let waiting):
        (
          waiting.request.subject, waiting.request.capability, waiting.request.atoms,
          "while its own request waits"
        )
      }
    var attempt = AutomaticAnswer(
      .deny, subject: subject, capability: capability, atoms: atoms, reason: "tried to use \(method) \(why)")
    attempt.kind = .refused
    return attempt
  }
}
