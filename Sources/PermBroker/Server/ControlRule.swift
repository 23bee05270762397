import Machine
import PermModel

/// The rule that a program cannot answer its own request. It decides whether a process that makes calls over the
/// `control` socket is allowed to change anything.
///
/// A process is not allowed to change anything while it or one of its ancestors has a request waiting, if one of them has
/// asked as an agent or runs an agent's file, or if its namespaces differ from the broker's. A process whose parent has
/// ended is no longer recognized as a descendant. Therefore, while an agent is known, neither may a process that could be
/// an orphan of it, nor one that logged in over ssh from this machine. The rule stops a careless program, but not a hostile one.
enum ControlRule {
  /// A reason why a process is not allowed to change anything.
  enum Objection: Hashable, Sendable {
    /// The process has ended, cannot be read, or no longer holds the connection.
    case unknown
    case elsewhere(Namespace)
    case descends(from: StoredRequest)
    /// The process was started by an agent, which asks through a hook.
    case belongs(to: Subject)
    /// The process could have been started by an agent, since what started it has ended.
    case orphan
    /// The process logged in over ssh from this machine, where an agent asks. The agent could have done that.
    case loggedInFromHere
    /// The process says that it acts for this operator, but root's sshd did not start it by a forced command.
    case notSent(by: String)
  }

  /// Returns the reason why this process is not allowed to change anything; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - agent: Returns the agent as which a process has asked.
  ///   - known: The agents that the store knows, by the paths of their files.
  ///   - agentsSince: The moment at which the first known agent was started; `nil` if none is known.
  ///   - dashboards: The processes of the dashboards that are attached.
  ///   - isFromHere: Whether the login over ssh to which a process belongs was made from this machine, or could have been.
  static func objection(
    to caller: ControlCaller, asking: [StoredRequest], agent: (ProcessIdentity) -> Subject? = { _ in nil },
    known: [String: Subject] = [:], agentsSince: UInt64? = nil, dashboards: Set<Int32> = [],
    isFromHere: (ControlCaller) -> Bool = { _ in false }
  ) -> Objection? {
    guard caller.isHeld, !caller.lineage.isEmpty else { return .unknown }
    if let namespace = caller.foreign { return .elsewhere(namespace) }
    if case .unproven(let name)? = caller.operator { return .notSent(by: name) }
    for member in caller.lineage where !member.isPersonsShell {
      if let agent = agent(member.identity) ?? member.program.flatMap({ known[$0] }) {
        return .belongs(to: agent)
      }
      if let asker = asking.first(where: { $0.process == member.identity }) { return .descends(from: asker) }
    }
    guard let agentsSince else { return nil }
    if let login = caller.login, login.identity.startTime >= agentsSince, isFromHere(caller) {
      return .loggedInFromHere
    }
    if caller.isOrphan(since: agentsSince),
      !dashboards.contains(caller.lineage[0].identity.pid)
    {
      return .orphan
    }
    return nil
  }
}

/// The facts about a process that makes calls over the `control` socket.
struct ControlCaller: Hashable, Sendable {
  /// The calling process, or one of its ancestors.
  struct Member: Hashable, Sendable {
    var identity: ProcessIdentity
    /// Whether the process is an interactive shell that leads its terminal's session. Programs started in
    /// such a shell were started by a person.
    var isPersonsShell = false
    /// The path of the file that the process runs; `nil` if it cannot be read, or if the file is an interpreter, which
    /// runs many programs.
    var program: String?
    /// Whether the process only adopts the children of processes that have ended, as `init` does.
    var adopts = false
    /// Whether the process is one of root's with which a person's session begins, for example `sshd`.
    var beginsSession = false
    /// Whether the process is a server of ssh that root installed.
    var isSSHServer = false
  }

  /// The process and its ancestors; empty if the process has ended.
  var lineage: [Member]
  /// The first kind of namespace that the process does not share with the broker; `nil` if they share all.
  var foreign: Namespace?
  /// Whether the process still holds the connection; also `true` if the kernel does not let the broker check this.
  var isHeld = true
  /// The operator for whom the process says that it acts.
  var `operator`: ClaimedOperator?

  /// The server of ssh through which the process, or an ancestor, logged in.
  var login: Member? { lineage.first(where: \.isSSHServer) }
}

extension ControlCaller {
  /// Whether the outermost process that was started at or after a moment has been adopted, so that it is not known which
  /// program started it. A person's shell, or a process that began a session, tells that the person did.
  fileprivate func isOrphan(since moment: UInt64) -> Bool {
    let later = lineage.prefix { $0.identity.startTime >= moment && !$0.adopts }
    guard !later.isEmpty, lineage.dropFirst(later.count).first?.adopts == true else { return false }
    return !later.contains { $0.isPersonsShell || $0.beginsSession }
  }
}

extension ControlRule.Objection {
  /// The message for the person, with advice on what to do.
  var words: String {
    switch self {
    case .unknown: "it is not known which process asks for this; run the command again, from a terminal"
    case .elsewhere(let namespace):
      "this process is in another \(namespace.rawValue) namespace than the broker, as in a sandbox, and may only "
        + "look; run the command outside"
    case .descends(let waiting):
      "\(waiting.request.subject.name) has a request waiting, so programs it started cannot change anything yet; "
        + "answer from another terminal"
    case .orphan:
      "an agent asks here, and what started this process has ended, so it may only look; run the command in a shell of "
        + "your own"
    case .loggedInFromHere:
      "an agent asks here, and this login over ssh may come from this machine, so it may only look; use your own "
        + "terminal, or log in from another machine"
    case .notSent(let name):
      "it is not certain that \(name) answers: only a forced command of root's sshd can say so; see permtui bridge "
        + "--help"
    case .belongs(let agent):
      "\(agent.name) asks here for what it does, so programs it started cannot change anything; use your own terminal"
    }
  }

  /// Returns the journal's record of the refused attempt.
  func attempt(at method: String, by caller: Subject) -> AutomaticAnswer {
    let why =
      switch self {
      case .unknown: "from an unknown process"
      case .elsewhere(let namespace): "from another \(namespace.rawValue) namespace"
      case .descends: "while its own request waits"
      case .belongs: "although it was started by an agent"
      case .orphan: "although an agent may have started it"
      case .loggedInFromHere: "over ssh from this machine, where an agent asks"
      case .notSent(let name): "as \(name), whom no forced command names"
      }
    var attempt = AutomaticAnswer(
      .deny, subject: caller, capability: nil, atoms: [], reason: "tried to use \(method) \(why)")
    attempt.kind = .refused
    if case .belongs(to: let agent) = self { attempt.subject = agent }
    if case .descends(from: let asker) = self {
      attempt.subject = asker.request.subject
      attempt.capability = asker.request.capability
      attempt.atoms = asker.request.atoms
    }
    return attempt
  }
}

/// A witness that inspects the processes behind calls over the `control` socket.
struct ControlWitness: Sendable {
  let look: @Sendable (Peer) -> ControlCaller
  /// Determines the operator for whom a peer says that it acts.
  var `operator`: @Sendable (Peer) -> ClaimedOperator? = { _ in nil }
  /// Whether the login over ssh to which a process belongs was made from this machine, or could have been.
  var isFromHere: @Sendable (ControlCaller) -> Bool = { _ in false }
}

extension ControlWitness {
  /// Creates a witness that inspects the processes of this machine.
  init() {
    let claimed = { @Sendable (peer: Peer) in
      ClaimedOperator(of: peer.pid) { Self.lineage(of: peer.pid) }
    }
    look = { peer in
      var caller = ControlCaller(
        lineage: Self.lineage(of: peer.pid), foreign: Namespace.foreign(of: peer.pid),
        isHeld: !Namespace.canRead(peer.pid) || peer.isHeld(by: peer.pid))
      caller.operator = claimed(peer)
      return caller
    }
    `operator` = claimed
    isFromHere = { SSHLogin($0)?.isFromHere ?? true }
  }

  private static let longestLineage = 256

  /// Returns the process and its ancestors. An apparent parent that started later than its child is in fact another
  /// process that reuses the parent's id. The lineage then ends at the child.
  private static func lineage(of process: Int32) -> [ControlCaller.Member] {
    var lineage: [ControlCaller.Member] = []
    var next = process
    while next > 0, lineage.count < longestLineage, let stat = ProcessStat(of: next),
      stat.startTime <= lineage.last?.identity.startTime ?? .max
    {
      lineage.append(
        .init(
          identity: ProcessIdentity(pid: next, startTime: stat.startTime),
          isPersonsShell: stat.terminal != nil && stat.session == next && isInteractiveShell(next),
          program: program(of: next), adopts: next == 1 || ProgramTable.adopts(stat.name),
          beginsSession: ProgramTable.beginsSession(stat.name) && isRoots(next),
          isSSHServer: SSHLogin.servers.contains(stat.name) && isRoots(next)))
      next = stat.parent
    }
    return lineage
  }

  private static func program(of process: Int32) -> String? {
    guard let target = Paths.target(ofLink: "/proc/\(process)/exe") else { return nil }
    // The kernel marks the path of a file that was removed, for example by an update.
    let mark = " (deleted)"
    let path = target.hasSuffix(mark) ? String(target.dropLast(mark.count)) : target
    return Interpreter.named(path.lastPathPart) == nil ? path : nil
  }

  /// Whether a process runs a file that only root can write. The kernel hides the file of a process that has changed its
  /// user, and such a process belongs to root in `/proc`.
  private static func isRoots(_ process: Int32) -> Bool {
    guard let target = Paths.target(ofLink: "/proc/\(process)/exe") else {
      return FileStatus("/proc/\(process)")?.owner == 0
    }
    return ProtectedFile.isProtected(target)
  }

  private static func isInteractiveShell(_ process: Int32) -> Bool {
    guard let snapshot = LinuxProcessTable().process(process),
      let interpreter = snapshot.executable.flatMap({ Interpreter.named($0.name) })
    else { return false }
    return interpreter.isShell && [.nothing, .input].contains(interpreter.input(of: snapshot.arguments))
  }
}
