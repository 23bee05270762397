extension IdentityCheck {
  /// Compares the program's label and file with those of earlier answers.
  package init(of request: Request, in store: any PermissionStore) throws(StoreError) {
    guard let evidence = request.evidence else {
      self = .inProcess
      return
    }
    guard evidence.doubt == nil else {
      self = evidence.isUnreadable ? .unknown : .fileless
      return
    }
    let known = try KnownAnswers(request.subject, in: store)
    if known.own.contains(.allow) {
      self = .asSeen
    } else if known.isReplaced {
      self = .replaced
    } else if let other = known.otherPath {
      self = .mismatch(seenBefore: other)
    } else if let label = try store.label(like: request.subject.label) {
      // A denial does not make a label trusted, so the warning must not vanish with the first one.
      self = .lookAlike(of: label)
    } else {
      self = known.own.isEmpty ? .firstTime : .onlyDenied
    }
  }
}

/// A person's earlier answers to requests under one label, compared with the program that asks now. A label stays known
/// by them after the decisions have ended or were forgotten.
private struct KnownAnswers {
  var own: Set<Verdict> = []
  /// Whether an earlier answer was given to a different file at the same path, or in a different folder at the same path.
  var isReplaced = false
  /// The path of another program that was allowed something under the label. Programs that were only denied do not
  /// count, because a denial does not make a label trusted.
  var otherPath: String?
  private var others: Set<Subject> = []

  init(_ subject: Subject, in store: any PermissionStore) throws(StoreError) {
    for answered in try store.answeredPrograms(label: subject.label) { add(answered, to: subject) }
    if !others.isEmpty { recognize(subject, by: store.knownLinks) }
  }

  /// Regards the program as a new version of the others, if a known link leads to its file.
  private mutating func recognize(_ subject: Subject, by links: KnownLinks) {
    guard let path = subject.path, subject.sandbox == nil else { return }
    let isNewVersion = others.allSatisfy { other in
      other.sandbox == nil && other.path.map { links.isReplacement(path, of: $0) } == true
    }
    guard isNewVersion else { return }
    otherPath = nil
    isReplaced = isReplaced || others.contains { $0.folder?.path == subject.folder?.path }
  }

  private mutating func add(_ answered: AnsweredProgram, to subject: Subject) {
    let seen = answered.subject
    if subject.isSameProgram(as: seen) {
      own.insert(answered.verdict)
    } else if subject.isSamePlace(as: seen), seen.path != nil {
      isReplaced = true
    }
    // An agent that was allowed something in another folder is not another program.
    if answered.verdict == .allow, let path = seen.path, !seen.isSamePlaceAnywhere(as: subject) {
      otherPath = otherPath.map { min($0, path) } ?? path
      others.insert(seen)
    }
  }
}

extension PermissionStore {
  /// Returns an existing label that a person could confuse with the new one; `nil` if there is none.
  fileprivate func label(like new: String) throws(StoreError) -> String? {
    let skeleton = LookAlikes.skeleton(of: new)
    return try programs(after: nil, limit: 10_000).map(\.subject.label)
      .first { $0 != new && LookAlikes.skeleton(of: $0) == skeleton }
  }
}

extension IdentityCheck {
  /// Returns the reason why an answer with this verdict cannot be kept for a lifetime; `nil` if it can. For
  /// `once` there is never an obstacle, because the answer is not kept.
  package func obstacle(to verdict: Verdict, for lifetime: LifetimeChoice, label: String) -> String? {
    guard lifetime != .once else { return nil }
    switch self {
    case .unknown: return "it is not known which program asks"
    case .fileless: return lifetime == .process ? nil : "its file is not known"
    case .mismatch(let path):
      return verdict == .deny ? nil : "another program, \(path), was allowed under this name"
    case .lookAlike(let known):
      return verdict == .deny || lifetime == .process ? nil : "its name looks like \(known)"
    case .inProcess, .asSeen, .firstTime, .replaced, .onlyDenied: break
    }
    guard verdict == .allow, lifetime != .process else { return nil }
    return LookAlikes.doubt(about: label)
  }

  /// Whether there is a doubt about the program, so that a person must look at this individual request before
  /// allowing it.
  package func isSuspicious(label: String) -> Bool {
    obstacle(to: .allow, for: .forever, label: label) != nil
  }
}
