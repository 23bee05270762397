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
    var covers: [Cover]?
    var allowed: Int
    var denied: Int
    var last: Int64?
    /// The number of times that exactly this was allowed today, each time for one request only; omitted if it is 0.
    var today: Int?
    var identity: Identity
    var instead: String?
    var lifetimes: [Offer]
    /// The earlier allow that has no effect, and why; omitted if there is none.
    var resting: String?
    var joined: [Joined]
    var reach: AnswerReach
  }

  struct Joined: Codable, Hashable, Sendable {
    var id: String
    var pid: Int32?
    var started: Int64?
  }

  enum Identity: String, Codable, Sendable, CaseIterable {
    case inside, seen, first, denied, replaced, mismatch, alike, fileless, unknown
  }

  struct Choice: Codable, Hashable, Sendable {
    var parts: [String]
    var values: [Value]?
    var title: String
  }

  /// A scope that an answer can cover. Without a scope, it stands for exactly what was asked for.
  struct Cover: Codable, Hashable, Sendable {
    var scope: ScopeFields?
    var words: String
    var longest: LifetimeChoice?
    var limit: String?
    /// The number of other requests that a kept answer with this scope answers; omitted if they were not counted.
    var reach: AnswerReach?
  }

  struct Offer: Codable, Hashable, Sendable {
    var lifetime: LifetimeChoice
    var disabled: String?
    var denial: String?
  }

  struct Response: Codable, Hashable, Sendable {
    var verdict: Verdict
    var parts: [String]?
    var values: [Value]?
    var lifetime: LifetimeChoice?
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
      choices: alert.choices.map {
        Wire.Choice(parts: $0.atoms.wholeParts, values: $0.atoms.wireValues, title: $0.title)
      },
      covers: alert.covers.map(Wire.Cover.init),
      allowed: alert.history.allowed, denied: alert.history.denied, last: alert.history.last?.microseconds,
      today: alert.history.today > 0 ? alert.history.today : nil,
      identity: identity.0, instead: identity.instead,
      lifetimes: alert.lifetimes.map {
        Wire.Offer(
          lifetime: Wire.LifetimeChoice($0.choice), disabled: $0.disabledReason, denial: $0.denialOnlyReason)
      },
      resting: alert.restingAllow, joined: alert.joined.map(Wire.Joined.init),
      reach: alert.reach)
  }

  func alert() throws(BrokerError) -> RequestAlert {
    let offers = try lifetimes.map { offer throws(BrokerError) in
      LifetimeOffer(
        try offer.lifetime.choice(), disabledReason: offer.disabled, denialOnlyReason: offer.denial)
    }
    var alert = RequestAlert(
      request: try request.checkedRequest(), title: title, action: action, explanation: explanation,
      severity: severity,
      choices: try choices.map { choice throws(BrokerError) in
        RequirementChoice(
          atoms: try Set(request.capability, parts: choice.parts, values: choice.values), title: choice.title)
      },
      covers: try covers?.map { cover throws(BrokerError) in try cover.offer() } ?? [.exact],
      history: AnswerHistory(
        allowed: allowed, denied: denied, last: last.map(Timestamp.init(microseconds:)), today: today ?? 0),
      identity: identity.check(instead: instead), lifetimes: offers, definition: definition,
      joined: joined.map(\.joined), reach: reach)
    alert.restingAllow = resting
    return alert
  }
}

extension Wire.Cover {
  init(_ offer: CoverOffer) {
    self.init(
      scope: offer.scope.map(ScopeFields.init), words: offer.words,
      longest: offer.longest.map(Wire.LifetimeChoice.init), limit: offer.limitReason, reach: offer.reach)
  }

  func offer() throws(BrokerError) -> CoverOffer {
    CoverOffer(
      try scope?.checked(), words: words, longest: try longest?.choice(), limitReason: limit,
      reach: reach)
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
      verdict: answer.verdict, parts: answer.atoms.wholeParts, values: answer.atoms.wireValues,
      lifetime: Wire.LifetimeChoice(answer.lifetime), note: answer.note, mute: answer.mutes)
  }

  /// Returns the answer to a request. By default, the answer covers everything that was asked for, and applies once.
  func answer(to request: Request) throws(BrokerError) -> Answer {
    let isForAll = parts == nil && values == nil
    return Answer(
      verdict,
      atoms: isForAll ? request.atoms : try Set(request.capability, parts: parts ?? [], values: values),
      lifetime: try lifetime?.choice() ?? .once, note: note, mutes: mute ?? false)
  }
}
