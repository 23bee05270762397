extension IdentityCheck {
  /// Whether the label and the file that was seen fit what was decided before.
  package init(of request: Request, in store: any PermissionStore) throws(StoreError) {
    guard let evidence = request.evidence else {
      self = .inProcess
      return
    }
    guard evidence.doubt == nil else {
      self = .unknown
      return
    }
    let decided = try store.decisions(DecisionFilter(label: request.subject.label)).map(\.subject)
    if decided.contains(request.subject) {
      self = .asSeen
    } else if let other = decided.lazy.compactMap(\.path).first {
      self = .mismatch(seenBefore: other)
    } else {
      let history = try store.history(of: request.subject, capability: request.capability)
      self = history.allowed + history.denied > 0 ? .asSeen : .firstTime
    }
  }

  /// Why an answer can be for one request only; `nil` if it may be kept.
  package var reasonForOnce: String? {
    switch self {
    case .unknown: "it cannot be told which program asks"
    case .mismatch(let path): "another program, \(path), was allowed under this name"
    case .inProcess, .asSeen, .firstTime: nil
    }
  }
}
