import Machine
import PermModel

// An update of an agent that is known by a link is not a new program: one question carries over what was decided.

extension Broker {
  private typealias Request = PermModel.Request

  /// Asks whether what was decided about an agent's earlier files holds for its new one, before the agent's own request is
  /// answered. What was denied to an earlier file is denied without asking.
  ///
  /// - Returns: The end of the request; `nil` if it is still to be answered.
  func settleUpdate(
    _ parameters: Methods.Request.Parameters, of seen: IdentifiedProgram, as subject: Subject,
    from call: CallRouter.Call, _ send: @escaping CallRouter.Send<Methods.Request.Reply>
  ) async throws -> Methods.Request.Reply? {
    guard subject.folder != nil, !folders.isUpToDate(subject) else { return nil }
    guard let update = try store.update(to: subject) else {
      folders.noteUpToDate(subject)
      return nil
    }
    if let denied = try await denial(of: parameters, seen, by: update) { return denied }
    if try isFollowed(update) { return try carryOver(update) }
    guard !folders.isDeclined(subject) else { return nil }
    let question = try question(about: update, instead: parameters)
    let reply = try await answer(question, of: seen, as: subject, from: call, send)
    switch reply.state {
    case .allowed: return try carryOver(update)
    case .denied: folders.noteDeclined(subject)
    case .withdrawn: return .init(id: Request.ID(parameters.id ?? reply.id), .withdrawn())
    case .waiting, .dismissed, .timedOut, .unavailable: break
    }
    return nil
  }

  private func carryOver(_ update: ProgramUpdate) throws -> Methods.Request.Reply? {
    try store.carryOver(update, by: .broker)
    folders.noteUpToDate(update.subject)
    return nil
  }

  /// Whether a person has answered for all later updates of the link.
  private func isFollowed(_ update: ProgramUpdate) throws -> Bool {
    try (update.earlier + [update.subject]).contains { subject in
      try store.judgement(on: [update.atom], by: judge(of: subject, update.atom.capability)).isAllowed
    }
  }

  /// Returns the denial of a request by what was decided about an earlier file; `nil` if it is not denied.
  private func denial(
    of parameters: Methods.Request.Parameters, _ seen: IdentifiedProgram, by update: ProgramUpdate
  ) async throws -> Methods.Request.Reply? {
    let (_, request) = try await makeRequest(parameters, of: seen, as: update.subject)
    for earlier in update.earlier {
      let judgement = try store.judgement(
        on: request.atoms, request.facts, by: judge(of: earlier, request.capability))
      guard judgement.open.isEmpty, !judgement.isAllowed else { continue }
      answers.note(judgement.use)
      return .init(
        id: request.id, .answered(GivenAnswer(.deny, at: answerer.now, reason: judgement.use.reason)))
    }
    return nil
  }

  /// The greatest number of decisions that the question lists.
  private static let mostListed = 50

  private func question(
    about update: ProgramUpdate, instead parameters: Methods.Request.Parameters
  ) throws -> Methods.Request.Parameters {
    let listed = update.decisions.map { "\($0.verdict == .allow ? "allowed" : "denied") \($0.atom)" }.sorted()
    let left = listed.count - Self.mostListed
    let count = listed.count == 1 ? "1 decision" : "\(listed.count) decisions"
    let lines =
      ["\(update.change), with \(count):"] + listed.prefix(Self.mostListed)
      + (left > 0 ? ["and \(left) more"] : [])
    var question = parameters
    question.id = RandomID.make()
    (question.capability, question.parts) = (update.atom.capability, nil)
    question.values = [Wire.Value(part: update.atom.name, scope: ScopeFields(update.atom.scope))]
    question.details = Wire.Details(ShownDetails(lines.joined(separator: "\n")))
    (question.reason, question.lifetime, question.onceOnly, question.folderUnknown) = (nil, nil, nil, nil)
    return question
  }
}
