import PermModel

extension Desk {
  mutating func take(presented alert: Alert) {
    setAside.removeAll { $0.id == alert.id }
    arrived.append(alert)
    revision += 1
  }

  /// Withdraws an alert that no program waits for. An alert that is being read stays and says so; others disappear.
  mutating func withdraw(_ id: Alert.ID) {
    wanted.remove(id)
    arrived.removeAll { $0.id == id }
    setAside.removeAll { $0.id == id }
    if form?.alertID == id, form?.endsByPanic == true {
      form = nil
      report = Report(text: "Denied by the panic, with everything else that waited.")
    } else if form?.alertID == id {
      // A line that is being typed keeps the focus, so that the next letters do not become commands.
      form?.isWithdrawn = true
      form?.focus = 0
      prompt.open(.notice)
    }
    revision += 1
  }

  /// Notes whether a broker presents the alert that is being read. Each change restarts the wait.
  mutating func setBacked(_ isBacked: Bool, _ id: Alert.ID) {
    guard form?.alertID == id else { return }
    form?.isUnbacked = !isBacked
    restartWait()
  }

  /// Shows the alert that waits longest, once it may appear by itself, and at once the one that the person asked for.
  mutating func showNextAlert(_ room: AlertRoom) {
    guard let next = placeOfNextAlert(room) else { return }
    let alert = arrived.remove(at: next)
    wanted.remove(alert.id)
    var form = Form(.alert(alert))
    let items = waitingItems
    form.place = (
      1, max(1, items.count { place(of: $0) == .inLine } + (items.contains { $0.id == alert.id } ? 0 : 1))
    )
    open(form)
    revision += 1
  }

  private func placeOfNextAlert(_ room: AlertRoom) -> Int? {
    guard form == nil, room != .none, !arrived.isEmpty else { return nil }
    if let place = arrived.firstIndex(where: { wanted.contains($0.id) }) { return place }
    return room == .all && now.milliseconds >= prompt.appearsAt ? 0 : nil
  }

  /// Returns when the loop must wake up although nothing happens, in monotonic milliseconds: to show an alert, to arm
  /// it, to act on a key, for a countdown, or because a decision ends. `nil` if nothing ticks.
  ///
  /// - Parameter ends: The moments to which seconds are counted down on the screen.
  func nextDeadline(_ room: AlertRoom, countingTo ends: @autoclosure () -> [Timestamp] = []) -> Int64? {
    var deadlines: [Int64] = []
    if !arrived.isEmpty, form == nil, room == .all { deadlines.append(prompt.appearsAt) }
    if let deadline = prompt.deadline { deadlines.append(deadline) }
    if let deadline = form?.seen.deadline(after: prompt.times.visible) { deadlines.append(deadline) }
    if let expiry = data.nextExpiry {
      deadlines.append(monotonic(expiry))
      deadlines += ends().map { monotonic(Countdown(end: $0).nextChange(after: now.wall)) }
    }
    return deadlines.min()
  }

  /// Converts a moment of the wall clock to the monotonic clock, by their present readings; never to the past.
  private func monotonic(_ moment: Timestamp) -> Int64 {
    let left = moment.microseconds.subtractingClamped(now.wall.microseconds)
    return now.milliseconds.addingClamped(max(1, left.addingClamped(999) / 1000))
  }
}

/// The seconds to a moment, shown while there is less than a minute.
struct Countdown: Sendable {
  static let length: Int64 = 60_000_000

  let end: Timestamp

  /// Returns the whole seconds left, rounded up, or `nil` if they are not shown.
  func seconds(at now: Timestamp) -> Int64? {
    let left = end.microseconds.subtractingClamped(now.microseconds)
    return (1...Self.length).contains(left) ? (left + 999_999) / 1_000_000 : nil
  }

  /// Returns the next moment at which the countdown looks different.
  func nextChange(after now: Timestamp) -> Timestamp {
    guard let seconds = seconds(at: now) else {
      return Timestamp(microseconds: end.microseconds.subtractingClamped(Self.length))
    }
    return Timestamp(microseconds: end.microseconds - (seconds - 1) * 1_000_000)
  }
}
