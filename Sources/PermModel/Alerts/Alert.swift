import Machine

/// A modal message: a request, a confirmation, or a notice. An alert is a value whose content never changes.
public struct Alert: Hashable, Sendable, Identifiable {
  public struct ID: Hashable, Sendable, CustomStringConvertible {
    package var text: String
    /// The id of the broker on another machine that shows the alert; empty for one on this machine.
    package var machine: String
    package init(_ text: String, machine: String = "") { (self.text, self.machine) = (text, machine) }
    public var description: String { text }
  }

  public let id: ID
  public var content: Content { kept }
  /// The content, which has dozens of references.
  @CopyOnWrite private var kept: Content
  /// The requests that the alert answers; empty for a confirmation or a notice.
  package let requestIDs: [Request.ID]

  public enum Content: Hashable, Sendable {
    case request(RequestAlert)
    case confirmation(Confirmation)
    case notice(Notice)
  }

  package init(id: ID, content: Content) {
    self.id = id
    kept = content
    requestIDs = if case .request(let alert) = content { alert.requestIDs } else { [] }
  }

  /// One short line that names the alert in a list of waiting alerts, for example `photos for thumbs`.
  package var summary: String {
    switch content {
    case .request(let alert): alert.request.summary
    case .confirmation(let confirmation): confirmation.title
    case .notice(let notice): notice.title
    }
  }
}

/// A request, and the facts that its alert shows about it.
public struct RequestAlert: Hashable, Sendable {
  package var request: Request
  /// The program that asks.
  public var subject: Subject { request.subject }
  /// The program's stated reason for asking. It has not been verified.
  public var reason: String? { request.reason }
  /// The capability's title, for example `Photos`.
  public var title: String
  /// The action that the program asks to perform, worded as the end of the sentence "backup asks to …", for
  /// example `read your photos`.
  public var action: String
  /// The effect of allowing the request, in plain words, for example `All 1 204 files in ~/Pictures`.
  public var explanation: String
  /// The effect of allowing the request, as worded in the capability's definition, without details of this machine.
  package var definition: String
  public var severity: Severity
  /// The requirements that a person can choose to allow. There is at least one. The first one covers everything that
  /// was asked for.
  public var choices: [RequirementChoice]
  /// The scopes that an answer can cover, the narrowest first. The first one is exactly what was asked for.
  public var covers: [CoverOffer]
  package var history: AnswerHistory
  /// The result of comparing the program's label and file with those of earlier answers.
  package var identity: IdentityCheck
  /// The lifetimes on offer, in the order in which the alert lists them. `once` comes first, and is preselected.
  public var lifetimes: [LifetimeOffer]
  /// The command that stores a lasting decision. It is shown if the alert offers only `once`; `nil` to show no command.
  package var keepCommand: String?
  /// The earlier allow that covers what is asked for without having an effect on it, and why, in words; `nil` if there is
  /// none.
  package var restingAllow: String?
  /// The other requests that the answer also applies to, because their alerts would be identical to this alert.
  package var joined: [JoinedRequest]
  /// The number of other requests that a kept answer for exactly what was asked for would also settle.
  package var reach: AnswerReach

  package init(
    request: Request, title: String, action: String, explanation: String, severity: Severity,
    choices: [RequirementChoice], covers: [CoverOffer] = [.exact], history: AnswerHistory = AnswerHistory(),
    identity: IdentityCheck,
    lifetimes: [LifetimeOffer], definition: String = "", joined: [JoinedRequest] = [],
    reach: AnswerReach = AnswerReach()
  ) {
    self.request = request
    self.title = title
    self.action = action
    self.explanation = explanation
    self.severity = severity
    self.choices = choices
    self.covers = covers
    self.history = history
    self.identity = identity
    self.lifetimes = lifetimes
    self.definition = definition
    self.joined = joined
    self.reach = reach
  }

  package var requestIDs: [Request.ID] { [request.id] + joined.map(\.id) }
  /// The doubts about the program's name or identity, in words.
  package var doubts: [String] { request.doubts(identity) }

  /// Returns the atoms to which an answer applies.
  ///
  /// - Parameters:
  ///   - choice: The index of the chosen requirement in ``choices``.
  ///   - cover: The index of the chosen scope in ``covers``.
  public func atoms(choice: Int, cover: Int) -> Set<Atom> {
    guard choices.indices.contains(choice), covers.indices.contains(cover) else { return [] }
    return covers[cover].widening(choices[choice].atoms)
  }
}

/// A scope that an answer can cover.
public struct CoverOffer: Hashable, Sendable {
  /// The scope; `nil` for exactly the values that were asked for.
  public var scope: Scope?
  /// The scope in words, for example `this file` or `all of ~/src/app/ but .envrc and protected names deeper in it`.
  public var words: String
  /// The longest lifetime with which this scope can be allowed; `nil` if every lifetime is possible.
  package var longest: LifetimeChoice?
  /// The reason in words for ``longest``.
  package var limitReason: String?
  /// The number of other requests that a kept answer with this scope would also settle; `nil` if they were not
  /// counted.
  package var reach: AnswerReach?

  package init(
    _ scope: Scope?, words: String, longest: LifetimeChoice? = nil, limitReason: String? = nil,
    reach: AnswerReach? = nil
  ) {
    self.scope = scope
    self.words = words
    self.longest = longest
    self.limitReason = limitReason
    self.reach = reach
  }

  package static let exact = CoverOffer(nil, words: "exactly this")

  /// Returns the reason in words why this scope cannot be allowed with a lifetime; `nil` if it can be.
  package func reason(against lifetime: LifetimeChoice) -> String? {
    guard let longest, lifetime.rank > longest.rank else { return nil }
    return limitReason ?? "it is too long"
  }

  /// Returns the atoms with this scope instead of the narrower scopes that it covers.
  package func widening(_ atoms: Set<Atom>) -> Set<Atom> {
    guard let scope else { return atoms }
    return Set(
      atoms.map { $0.scope != .any && scope.covers($0.scope) ? Atom($0.capability, $0.name, scope) : $0 })
  }
}

/// A request that shares another request's alert.
package struct JoinedRequest: Hashable, Sendable {
  package var id: Request.ID
  /// The process that asks; `nil` if the code that asks runs in this process.
  package var process: ProcessIdentity?

  package init(id: Request.ID, process: ProcessIdentity? = nil) {
    self.id = id
    self.process = process
  }

  init(_ request: Request) { self.init(id: request.id, process: request.evidence?.process) }
}

/// A requirement that a person can choose to allow: everything that was asked for, or less.
public struct RequirementChoice: Hashable, Sendable {
  public var atoms: Set<Atom>
  /// The requirement in plain words, for example `read` or `add only`.
  public var title: String

  package init(atoms: Set<Atom>, title: String) {
    self.atoms = atoms
    self.title = title
  }
}

/// One of the lifetimes that an alert offers.
public struct LifetimeOffer: Hashable, Sendable {
  public var choice: LifetimeChoice
  /// The reason why the lifetime cannot be chosen in this alert, in words; `nil` if it can be chosen. The alert lists
  /// even a lifetime that cannot be chosen.
  public var disabledReason: String?
  /// The reason why the lifetime can be chosen only for a denial, in words; `nil` if it can be chosen for
  /// both verdicts.
  public var denialOnlyReason: String?

  package init(_ choice: LifetimeChoice, disabledReason: String? = nil, denialOnlyReason: String? = nil) {
    self.choice = choice
    self.disabledReason = disabledReason
    self.denialOnlyReason = denialOnlyReason
  }

  /// Returns the reason why the lifetime cannot be chosen for an answer with this verdict; `nil` if it can be chosen.
  package func reason(against verdict: Verdict) -> String? {
    disabledReason ?? (verdict == .allow ? denialOnlyReason : nil)
  }
}

/// A question that asks the person to confirm an action before it is performed.
public struct Confirmation: Hashable, Sendable, Codable {
  public var title: String
  public var message: String
  /// The label of the button that confirms, for example `Delete`.
  public var action: String
  public var cancel: String
  public var isDestructive: Bool
  /// A word that must be typed to confirm; `nil` if pressing the button is enough.
  public var typedWord: String?

  private enum CodingKeys: String, CodingKey {
    case title, message, action, cancel
    case isDestructive = "destructive"
    case typedWord = "word"
  }

  public init(
    title: String, message: String = "", action: String = "OK", cancel: String = "Cancel",
    isDestructive: Bool = true, typedWord: String? = nil
  ) {
    self.title = title
    self.message = message
    self.action = action
    self.cancel = cancel
    self.isDestructive = isDestructive
    self.typedWord = typedWord
  }
}

/// A message that the person only needs to read and close.
public struct Notice: Hashable, Sendable, Codable {
  public var title: String
  public var message: String
  public var button: String

  public init(title: String, message: String = "", button: String = "OK") {
    self.title = title
    self.message = message
    self.button = button
  }
}
