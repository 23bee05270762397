extension Form {
  /// Whether an answer to the form is awaited.
  enum Standing: Hashable, Sendable {
    case awaited
    /// No broker waits for the answer. It has no effect until a broker shows the same alert again.
    case unbacked
    /// The alert was withdrawn, because its answer is no longer awaited. The form stays open but can no longer answer
    /// anything.
    case withdrawn(Withdrawal)

    struct Withdrawal: Hashable, Sendable {
      /// The time in milliseconds.
      var at: Int64
      /// Whether a denial was pressed, but not yet counted.
      var wasBeingDenied = false
      /// Whether a denial still takes back the answer that was given elsewhere.
      var canTakeBack = false
    }
  }
}

extension Form {
  var withdrawal: Standing.Withdrawal? {
    if case .withdrawn(let withdrawal) = standing { withdrawal } else { nil }
  }

  var isWithdrawn: Bool { withdrawal != nil }
  var isUnbacked: Bool { standing == .unbacked }
  var canTakeBack: Bool { withdrawal?.canTakeBack == true }

  /// The answer that was given elsewhere, which is why the alert is withdrawn.
  var otherAnswer: AnswerElsewhere? {
    if case .answered(let other) = reason { other } else { nil }
  }

  /// Withdraws the alert. The form stays open, so that a line being typed keeps the focus. Otherwise, the next letters
  /// would be taken as commands.
  mutating func withdraw(at moment: Int64, isDenying: Bool) {
    if isUnbacked, reason == nil { reason = .brokerGone }
    standing = .withdrawn(.init(at: withdrawal?.at ?? moment, wasBeingDenied: !isWithdrawn && isDenying))
    focus = 0
  }

  /// Sets whether a denial still takes the other answer back. The button that closes the form then has the focus, so that a
  /// person who only wants to close it does not deny anything.
  mutating func offerToTakeBack(_ canTakeBack: Bool) {
    guard var withdrawal, withdrawal.canTakeBack != canTakeBack else { return }
    withdrawal.canTakeBack = canTakeBack
    standing = .withdrawn(withdrawal)
    focus = canTakeBack ? 1 : 0
  }
}
