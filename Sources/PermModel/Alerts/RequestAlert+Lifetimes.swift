extension RequestAlert {
  /// Returns the lifetimes on offer for a scope. Some of them might be possible only for a denial.
  ///
  /// - Parameter cover: The index of the chosen scope in ``covers``.
  package func lifetimes(cover: Int) -> [LifetimeOffer] {
    lifetimes.map { offer in
      var offer = offer
      if offer.disabledReason == nil, offer.denialOnlyReason == nil {
        offer.denialOnlyReason = obstacle(to: offer.choice, cover)
      }
      return offer
    }
  }

  /// Returns the reason why an allow of this scope cannot be kept for so long; `nil` if it can.
  private func obstacle(to lifetime: LifetimeChoice, _ cover: Int) -> String? {
    if lifetime != .once, let details = request.details, details.linesLeftOut > 0 {
      return "not all of the details are shown"
    }
    return covers.indices.contains(cover) ? covers[cover].obstacle(to: lifetime) : nil
  }
}

extension CoverOffer {
  /// Returns a sentence that says that there is no further scope.
  package static func isLast(goingWider: Bool) -> String {
    goingWider ? "No wider scope is on offer." : "It covers exactly what is asked for."
  }

  /// Returns the reason why an allow of this scope cannot be kept for so long; `nil` if it can.
  package func obstacle(to lifetime: LifetimeChoice) -> String? {
    guard let longest, !lifetime.isWithin(longest) else { return nil }
    return limitReason ?? "this scope cannot be allowed for so long"
  }
}

extension LifetimeChoice {
  /// Whether this lifetime is certain to end no later than another one. Because nobody knows when a session ends, a
  /// fixed time never lies within a session.
  package func isWithin(_ longest: LifetimeChoice) -> Bool {
    switch (self, longest) {
    case (.duration(let duration), .duration(let most)): duration <= most
    case (.until(let end), .until(let last)): end <= last
    case (.duration, .until), (.until, .duration): false
    default: rank <= longest.rank
    }
  }
}
