import Machine
package import PermModel

/// A run that this process, its warden, supervises at a broker. It lasts as long as this object.
package final class SupervisedRun: Sendable {
  /// The program in whose name everything in the run is asked.
  package let subject: Subject
  private let id: String
  private let addresses: [BrokerAddress]
  private let stream: BrokerConnection

  /// Announces a run, and blocks the thread until the broker has admitted it.
  ///
  /// - Parameters:
  ///   - id: The random id of the run. Each broker is told the same one.
  ///   - label: The name under which the program asks; `nil` for the usual one.
  package init(_ claim: RunClaim, id: String, label: String?, at addresses: [BrokerAddress]) throws {
    (self.id, self.addresses) = (id, addresses)
    stream = try BrokerConnection(to: .control, among: addresses)
    let parameters = Methods.Supervise.Parameters(
      run: id, pid: claim.first.pid, started: Int64(bitPattern: claim.first.startTime),
      program: claim.program, arguments: claim.arguments, folder: claim.folder, label: label,
      terminal: claim.terminal, native: claim.hasNativeFolder ? true : nil)
    try stream.send(Methods.Supervise.self, parameters, more: true)
    guard let program = try stream.next(of: Methods.Supervise.self).reply.subject else {
      throw BrokerError.notUnderstood("it did not say which program the run is about")
    }
    subject = program.subject
  }

  /// The news about a run.
  package enum News: Hashable, Sendable {
    /// A question, known by its id, has ended.
    case ended(String, RunQuestion.Answer)
    /// A person wants the run to end.
    case end
  }

  /// Blocks the thread until there is news.
  package func next() throws(BrokerError) -> News {
    while true {
      let reply = try stream.next(of: Methods.Supervise.self).reply
      if reply.end == true { return .end }
      if let ended = reply.ended { return .ended(ended, RunQuestion.Answer(reply)) }
    }
  }

  /// Asks a question, and returns the number of dashboards that could show it.
  ///
  /// - Parameter hasLeft: Whether the run has reached a socket of the host.
  package func ask(_ question: RunQuestion, hasLeft: Bool) throws -> Int {
    let asking = question.asking
    let parameters = Methods.Ask.Parameters(
      run: id, id: question.id, capability: question.atoms.first?.capability ?? "",
      values: question.atoms.map { Wire.Value(part: $0.name, scope: ScopeFields($0.scope)) },
      caution: question.caution.map(Methods.Ask.Caution.init),
      name: asking.name, pid: asking.process.pid, started: Int64(bitPattern: asking.process.startTime),
      left: hasLeft ? true : nil)
    return try call(Methods.Ask.self, parameters).presenters
  }

  /// Connects to the socket `ask` for a process inside, and says so to the broker.
  ///
  /// - Parameters:
  ///   - folder: The absolute path of the folder in which the process works.
  ///   - hasLeft: Whether the run has reached a socket of the host.
  package func connect(
    for process: WalledProcess, in folder: String, hasLeft: Bool
  ) throws -> RelayedConnection {
    let connection = try RelayedConnection(to: .ask, among: addresses)
    let parameters = Methods.Enter.Parameters(
      run: id, socket: Int64(FileStatus(of: connection.descriptor)?.inode ?? 0), name: process.name,
      pid: process.process.pid, started: Int64(bitPattern: process.process.startTime), folder: folder,
      left: hasLeft ? true : nil)
    _ = try call(Methods.Enter.self, parameters)
    return connection
  }

  package func unask(_ question: String) throws {
    _ = try call(Methods.Unask.self, .init(run: id, id: question))
  }

  private func call<Method: BrokerMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) throws -> Method.Reply {
    try BrokerConnection(to: .control, among: addresses).call(method, parameters)
  }
}

/// A question of a run: uses that nobody has decided about, and the process that waits for the answer.
package struct RunQuestion: Hashable, Sendable {
  /// The reason why only a decision about exactly this value counts, and an allow until the run ends at most.
  package enum Caution: Hashable, Sendable {
    /// The path is that of a socket of the host.
    case socket
    /// A name that the program has asked for leads to this address of this machine or its network.
    case behindName
  }

  /// The way in which a question ended, as far as the run is concerned.
  package enum End: Hashable, Sendable {
    /// Allowed this time. If the answer was kept, it is also a decision.
    case allowed
    /// Denied until the run ends.
    case denied
    /// Not answered, so it is denied this time.
    case unanswered
  }

  /// The answer to a question, which can allow some of its uses and deny the others.
  package struct Answer: Hashable, Sendable {
    fileprivate let end: End
    /// The values that the answer allowed; `nil` if it names none.
    fileprivate let allowed: Set<Wire.Value>?

    /// An answer that is the same for every use.
    package init(_ end: End) { (self.end, allowed) = (end, nil) }

    /// Returns the end of the question about one of its uses.
    ///
    /// - Parameter isAlone: Whether it was the only one. Otherwise, a denial that names no values, because it follows from
    ///   decisions, leaves open which of the uses are denied.
    package func end(of atom: Atom, isAlone: Bool) -> End {
      guard !isAlone else { return end }
      guard let allowed else { return end == .denied ? .unanswered : end }
      return allowed.contains { $0.part == atom.name && $0.scope == ScopeFields(atom.scope) }
        ? .allowed : .denied
    }
  }

  package let id: String
  /// The uses, all of one capability.
  package let atoms: [Atom]
  package let caution: Caution?
  package let asking: WalledProcess

  package init(id: String, atoms: [Atom], caution: Caution? = nil, asking: WalledProcess) {
    (self.id, self.atoms, self.caution, self.asking) = (id, atoms, caution, asking)
  }
}

extension Methods.Ask.Caution {
  fileprivate init(_ caution: RunQuestion.Caution) {
    self =
      switch caution {
      case .socket: .socket
      case .behindName: .behindName
      }
  }
}

extension RunQuestion.Answer {
  init(_ reply: Methods.Supervise.Reply) {
    (end, allowed) = (RunQuestion.End(reply.state), reply.allowed.map(Set.init))
  }
}

extension RunQuestion.End {
  fileprivate init(_ state: Methods.Request.State?) {
    switch state {
    case .allowed: self = .allowed
    case .denied: self = .denied
    default: self = .unanswered
    }
  }
}
