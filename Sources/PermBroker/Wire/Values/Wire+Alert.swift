import PermModel

extension Wire {
  struct Alert: Codable, Hashable, Sendable {
    var id: String
    var request: RequestAlert?
    var confirmation: Confirmation?
    var notice: Notice?
  }

  struct RequestAlert: Codable, Hashable, Sendable {
    var request: Question
    var title: String
    var action: String
    var explanation: String
    var definition: String
    var severity: Severity
    var choices: [Choice]
    var allowed: Int
    var denied: Int
    var last: Int64?
    var identity: Identity
    var instead: String?
    var lifetimes: [Offer]
    var joined: [Joined]
    var reach: Reach
  }

  struct Joined: Codable, Hashable, Sendable {
    var id: String
    var pid: Int32?
    var started: Int64?
  }

  struct Reach: Codable, Hashable, Sendable {
    var allow: Int
    var deny: Int
  }

  enum Identity: String, Codable, Sendable, CaseIterable {
    case inside, seen, first, denied, replaced, mismatch, alike, fileless, unknown
  }

  struct Choice: Codable, Hashable, Sendable {
    var parts: [String]
    var title: String
  }

  struct Offer: Codable, Hashable, Sendable {
    var lifetime: Lifetime
    var disabled: String?
    var denial: String?
  }

  struct Response: Codable, Hashable, Sendable {
    var verdict: Verdict
    var parts: [String]?
    var lifetime: Lifetime?
    var note: String?
    var mute: Bool?
  }
}

extension Wire.Alert {
  init(_ alert: Alert) {
    self.init(id: alert.id.text)
    switch alert.content {
    case .request(let content): request = Wire.RequestAlert(content)
    case .confirmation(let content): confirmation = content
    case .notice(let content): notice = content
    }
  }

  /// Returns the alert; `nil` if the sender gave it no content.
  func alert() throws(BrokerError) -> Alert? {
    var content: Alert.Content?
    if let request { content = .request(try request.alert()) }
    if let confirmation { content = .confirmation(confirmation) }
    if let notice { content = .notice(notice) }
    return content.map { Alert(id: Alert.ID(id), content: $0) }
  }
}

extension Wire.RequestAlert {
  init(_ alert: RequestAlert) {
    let identity = Wire.Identity.fields(alert.identity)
    self.init(
      request: Wire.Question(alert.request), title: alert.title, action: alert.action,
      explanation: alert.explanation, definition: alert.definition,
      severity: alert.severity,
      choices: alert.choices.map { Wire.Choice(parts: $0.atoms.map(\.name).sorted(), title: $0.title) },
      allowed: alert.history.allowed, denied: alert.history.denied, last: alert.history.last?.microseconds,
      identity: identity.0, instead: identity.instead,
      lifetimes: alert.lifetimes.map {
        Wire.Offer(
          lifetime: Wire.Lifetime($0.choice), disabled: $0.disabledReason, denial: $0.denialOnlyReason)
      },
      joined: alert.joined.map(Wire.Joined.init),
      reach: Wire.Reach(allow: alert.reach.allow, deny: alert.reach.deny))
  }

  func alert() throws(BrokerError) -> RequestAlert {
    let offers = try lifetimes.map { offer throws(BrokerError) in
      LifetimeOffer(
        try offer.lifetime.choice(), disabledReason: offer.disabled, denialOnlyReason: offer.denial)
    }
    return RequestAlert(
      request: request.request, title: title, action: action, explanation: explanation,
      severity: severity,
      choices: choices.map { choice in
        RequirementChoice(
          atoms: Set(choice.parts.map { Atom(request.capability, $0) }), title: choice.title)
      },
      history: AnswerHistory(
        allowed: allowed, denied: denied, last: last.map(Timestamp.init(microseconds:))),
      identity: identity.check(instead: instead), lifetimes: offers, definition: definition,
      joined: joined.map(\.joined), reach: AnswerReach(allow: reach.allow, deny: reach.deny))
  }
}

extension Wire.Identity {
  /// Returns the name that stands for an identity check, and the path or label with which the program is compared.
  static func fields(_ check: IdentityCheck) -> (Wire.Identity, instead: String?) {
    switch check {
    case .inProcess: (.inside, nil)
    case .asSeen: (.seen, nil)
    case .firstTime: (.first, nil)
    case .onlyDenied: (.denied, nil)
    case .replaced: (.replaced, nil)
    case .mismatch(let path): (.mismatch, path)
    case .lookAlike(let label): (.alike, label)
    case .fileless: (.fileless, nil)
    case .unknown: (.unknown, nil)
    }
  }

  func check(instead: String?) -> IdentityCheck {
    switch self {
    case .inside: .inProcess
    case .seen: .asSeen
    case .first: .firstTime
    case .denied: .onlyDenied
    case .replaced: .replaced
    case .mismatch: .mismatch(seenBefore: instead ?? "")
    case .alike: .lookAlike(of: instead ?? "")
    case .fileless: .fileless
    case .unknown: .unknown
    }
  }
}

extension Wire.Joined {
  init(_ joined: JoinedRequest) {
    self.init(
      id: joined.id.text, pid: joined.process?.pid,
      started: joined.process.map { Int64(bitPattern: $0.startTime) })
  }

  var joined: JoinedRequest {
    let process = pid.map { ProcessIdentity(pid: $0, startTime: UInt64(bitPattern: started ?? 0)) }
    return JoinedRequest(id: Request.ID(id), process: process)
  }
}

extension Wire.Response {
  init(_ answer: Answer) {
    self.init(
      verdict: answer.verdict, parts: answer.atoms.map(\.name).sorted(),
      lifetime: Wire.Lifetime(answer.lifetime), note: answer.note, mute: answer.mutes)
  }

  /// Returns the answer to a request. By default, the answer covers everything that was asked for, and applies once.
  func answer(to request: Request) throws(BrokerError) -> Answer {
    Answer(
      verdict, atoms: parts.map { Set($0.map { Atom(request.capability, $0) }) } ?? request.atoms,
      lifetime: try lifetime?.choice() ?? .once, note: note, mutes: mute ?? false)
  }
}
