extension RequestAlert {
  /// The number of times that the same was allowed for one request only, on one day, from which an alert suggests to keep
  /// the answer.
  private static let oftenEnough = 3

  /// The index in ``lifetimes`` of the lifetime for which the alert suggests to keep an allow of exactly what is asked for;
  /// `nil` if it suggests nothing.
  package var suggestedKeep: Int? { history.today >= Self.oftenEnough ? keepable : nil }

  /// Whether the alert would suggest to keep an allow if the same had been allowed often enough.
  var canSuggestKeeping: Bool { keepable != nil }

  /// The index of the lifetime that a suggestion would name: until log-out or, if an allow cannot be kept for so long, until
  /// the process ends. It is `nil` if an allow cannot be kept, or takes a word, or if there is anything to say against the
  /// program or the values.
  private var keepable: Int? {
    guard identity == .asSeen, request.warnings(identity).isEmpty else { return nil }
    let offers = lifetimes(cover: 0)
    let places = [LifetimeChoice.session, .process].compactMap { choice in
      offers.firstIndex { $0.choice == choice && $0.reason(against: .allow) == nil }
    }
    guard let place = places.first else { return nil }
    let word = typedWord(for: atoms(choice: 0, cover: 0), lifetime: offers[place].choice)
    return word == nil ? place : nil
  }
}
