import PermModel

// A lost alert that nobody closes.

extension Desk {
  /// The time in milliseconds without a key after which a lost alert becomes a line.
  private static let timeToClose: Int64 = 10_000

  /// The time at which the lost alert on the screen becomes a line; `nil` if it stays. It stays while a line is being
  /// typed in it, because the next letters would be taken as commands.
  var endOfLoss: Int64? {
    guard let form, let withdrawal = form.withdrawal, form.entry == nil, !form.canTakeBack else { return nil }
    return max(withdrawal.at, prompt.lastInput) + Self.timeToClose
  }

  /// Turns a lost alert into a line if no key was pressed for a while, so that it holds up no other alert. The next alert
  /// then sleeps until a key wakes it.
  mutating func closeLost() {
    guard let end = endOfLoss, now.milliseconds >= end, let loss, let alert = form?.alert else { return }
    let words = loss.words(list: key(.waiting), visible)
    report = Report(text: "\(visible(alert.summary)) \(words).")
    form = nil
    revision += 1
    absentSince = prompt.lastInput
  }
}

extension Desk {
  /// The reason why the open form was withdrawn; `nil` if it was not. The store might not show yet that the request was
  /// set aside elsewhere.
  var loss: AlertWithdrawal? {
    guard form?.isWithdrawn == true, let form else { return nil }
    return form.reason ?? leftItem.map { $0.isSetAside ? .setAside : .waitsElsewhere } ?? .ended
  }
}
