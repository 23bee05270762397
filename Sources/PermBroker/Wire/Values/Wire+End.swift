import PermModel

extension Methods.Request.Reply {
  /// The end of a request.
  ///
  /// - Parameter explanation: Why, in words, where the end does not say.
  init(id: Request.ID, _ end: RequestEnd, explanation: String? = nil) {
    self.init(id: id.text, state: .init(end), explanation: explanation)
    if case .unavailable(let reason) = end { self.explanation = reason }
    guard let answer = end.answer else { return }
    self.explanation = answer.reason
    guard !answer.allowed.isEmpty || !answer.denied.isEmpty else { return }
    allowed = answer.allowed.map(\.name).sorted()
    denied = answer.denied.map(\.name).sorted()
  }

  /// The end of a request for some atoms of a capability; `nil` while it waits. A denial names no atoms where
  /// decisions gave it.
  func end(of capability: String, asking atoms: Set<Atom>, at moment: Timestamp) -> RequestEnd? {
    func told(_ names: [String]?) -> Set<Atom>? { names.map { Set($0.map { Atom(capability, $0) }) } }
    switch state {
    case .waiting: return nil
    case .allowed:
      return .answered(GivenAnswer(.allow, allowed: told(allowed) ?? atoms, at: moment, reason: explanation))
    case .denied:
      return .answered(
        GivenAnswer(
          .deny, allowed: told(allowed) ?? [], denied: told(denied) ?? [], at: moment, reason: explanation))
    case .dismissed: return .dismissed
    case .timedOut: return .timedOut
    case .withdrawn: return .withdrawn
    case .unavailable: return .unavailable(reason: explanation ?? "not available")
    }
  }
}

extension Methods.Request.State {
  fileprivate init(_ end: RequestEnd) {
    self =
      switch end {
      case .answered(let answer): answer.verdict == .allow ? .allowed : .denied
      case .dismissed, .nobodyThere: .dismissed
      case .timedOut: .timedOut
      case .withdrawn: .withdrawn
      case .unavailable: .unavailable
      }
  }
}
