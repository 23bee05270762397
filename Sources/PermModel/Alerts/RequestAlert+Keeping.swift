extension RequestAlert {
  /// The number of times that the same was allowed for one request only, on one day, from which an alert suggests to keep
  /// the answer.
  private static let oftenEnough = 3

  /// The index in ``lifetimes`` of the lifetime for which the alert suggests to keep an allow of exactly what is asked for;
  /// `nil` if it suggests nothing.
  package var suggestedKeep: Int? { history.today >= Self.oftenEnough ? keepable : nil }

  /// Whether the alert would suggest to keep an allow if the same had been allowed often enough.
  var canSuggestKeeping: Bool { keepable != nil }

  /// The reason why the alert does not suggest to keep an allow.
  package enum NoSuggestion: Hashable, Sendable {
    /// The same was not allowed often enough today.
    case seldom
    /// There is something to say against the program or the values.
    case doubt
    /// An allow cannot be kept, with the reason.
    case neverKept(reason: String)
    /// An allow with this lifetime, the longest that a suggestion could name, takes a word.
    case word(String, place: Int)
  }

  /// The reason why the alert does not suggest to keep an allow; `nil` if it does.
  package var noSuggestion: NoSuggestion? {
    switch keeping {
    case .success: suggestedKeep == nil ? .seldom : nil
    case .failure(let obstacle): obstacle.reason
    }
  }

  private struct KeepingObstacle: Error { var reason: NoSuggestion }

  private var keepable: Int? { try? keeping.get() }

  /// The index of the lifetime that a suggestion would name: until log-out or, if an allow cannot be kept for so long, until
  /// the process ends. There is none if an allow cannot be kept, or takes a word, or if there is anything to say against the
  /// program or the values.
  private var keeping: Result<Int, KeepingObstacle> {
    guard identity == .asSeen, request.warnings(identity).isEmpty else {
      return .failure(KeepingObstacle(reason: .doubt))
    }
    let offers = lifetimes(cover: 0)
    let places = [LifetimeChoice.session, .process].compactMap { choice in
      offers.firstIndex { $0.choice == choice }
    }
    guard let place = places.first(where: { offers[$0].reason(against: .allow) == nil }) else {
      let reasons = places.compactMap { offers[$0].reason(against: .allow) }
      return .failure(KeepingObstacle(reason: .neverKept(reason: reasons.first ?? "it cannot be kept")))
    }
    let word = typedWord(for: atoms(choice: 0, cover: 0), lifetime: offers[place].choice)
    return word.map { .failure(KeepingObstacle(reason: .word($0, place: place))) } ?? .success(place)
  }
}
