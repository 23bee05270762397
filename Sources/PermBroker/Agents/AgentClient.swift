import Machine
import PermModel

/// A client that asks and withdraws on behalf of a coding agent. It blocks its thread, and starts no other one, so that
/// a known answer comes as fast as possible.
package struct AgentClient: Sendable {
  private let addresses: [BrokerAddress]
  /// The descriptor at which the agent reads the answer. If the agent closes it, there is nobody to answer to.
  private let output: Int32
  /// The time within which a broker that is not stopped replies, if only to say that the request waits.
  private let promptness: Duration

  package init(addresses: [BrokerAddress], output: Int32, promptness: Duration = .seconds(3)) {
    self.addresses = addresses
    self.output = output
    self.promptness = promptness
  }

  package enum Answer: Hashable, Sendable {
    case allowed
    /// Denied, with the person's note or the reason in words.
    case denied(String?)
    /// Denied without a question, because of what was decided before, with the reason in words.
    case deniedByRule(String?)
  }

  /// Asks, and waits for the answer. Returns `nil` if nobody can answer here, so that the agent has to ask by itself.
  /// That is so if no dashboard is open or the last one closes, if no broker runs or the broker is stopped, and after
  /// the given time.
  package func answer(to question: AgentQuestion, within patience: Duration) -> Answer? {
    do throws(UnaskedReason) {
      return try ask(question, within: patience)
    } catch {
      note(error, label: question.label)
      return nil
    }
  }

  private func ask(_ question: AgentQuestion, within patience: Duration) throws(UnaskedReason) -> Answer? {
    let (start, end) = (ContinuousClock.now, ContinuousClock.now + patience)
    var limit = min(end, start + promptness)
    do {
      if try isToolDenied(question) { return .deniedByRule(nil) }
      let connection = try BrokerConnection(to: .ask, among: addresses)
      let parameters = question.parameters(id: RandomID.make(), wait: patience)
      try connection.send(Methods.Request.self, parameters, more: true)
      // A broker that asks somebody says first that the request waits.
      var hasWaited = false
      while let reply = try next(at: connection, until: limit) {
        limit = end
        switch reply.state {
        case .allowed: return .allowed
        case .denied: return hasWaited ? .denied(reply.explanation) : .deniedByRule(reply.explanation)
        case .waiting where reply.presenters ?? 0 > 0: hasWaited = true
        case .waiting, .dismissed, .timedOut, .withdrawn, .unavailable: return nil
        }
      }
      return nil
    } catch BrokerError.invalid(parameter: "call", reason: _) {
      throw .tooLong
    } catch BrokerError.invalid(parameter: _, reason: _) {
      throw .unclear
    } catch {
      return nil
    }
  }

  /// Whether the tool is denied by its name, if it is asked about as something else.
  private func isToolDenied(_ question: AgentQuestion) throws -> Bool {
    guard let tool = question.tool, let value = try? Wire.Value.checked("use", .name(tool)) else {
      return false
    }
    let parameters = Methods.Status.Parameters(
      capability: "tools", values: [value], label: question.label, inFolder: true)
    let connection = try BrokerConnection(to: .ask, among: addresses)
    return try connection.call(Methods.Status.self, parameters, within: promptness).state == .denied
  }

  /// Waits for the next reply. Returns `nil` if there is none in time, or if the agent has gone away. From time to time, it
  /// looks whether the broker was stopped meanwhile, because then nobody can answer.
  private func next(
    at connection: BrokerConnection, until end: ContinuousClock.Instant
  ) throws(BrokerError) -> Methods.Request.Reply? {
    while true {
      if let (reply, _) = try connection.buffered(of: Methods.Request.self) { return reply }
      let turn = min(end, .now + promptness)
      let left = Int32(clamping: (turn - .now).wholeMilliseconds)
      guard left > 0 else { return nil }
      if Readable.poll(connection.descriptor, untilGone: output, milliseconds: left) {
        try connection.read()
      } else if turn == end || turn - .now > .milliseconds(2) || connection.isStopped {
        return nil
      }
    }
  }

  /// Withdraws the requests that the person has answered in the agent, and tells how the use of a tool ended.
  package func withdraw(_ message: HookMessage) {
    guard let group = message.session else { return }
    let mark = message.event == .toolEnded ? message.mark : nil
    let connection = try? BrokerConnection(to: .ask, among: addresses)
    // The reply is awaited, because the broker looks at this process to find out which agent it belongs to.
    let parameters = Methods.Withdraw.Parameters(
      group: group, mark: mark, failed: mark != nil && message.hasFailed ? true : nil)
    _ = try? connection?.call(Methods.Withdraw.self, parameters, within: Self.patience)
  }

  /// Has the broker record that a question was not asked, but left to the agent's own dialog, or refused.
  package func note(_ fault: UnaskedReason, label: String?) {
    let connection = try? BrokerConnection(to: .ask, among: addresses)
    _ = try? connection?.call(Methods.Unasked.self, .init(why: fault, label: label), within: Self.patience)
  }

  /// The longest time for which an agent waits although there is nothing to answer.
  private static let patience = Duration.seconds(2)
}
