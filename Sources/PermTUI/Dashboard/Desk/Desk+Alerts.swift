import PermModel

extension Desk {
  mutating func take(presented alert: Alert) {
    setAside.removeAll { $0.id == alert.id }
    for id in items(of: alert) { closing[id] = nil }
    arrived.append(alert)
    revision += 1
  }

  /// The time, in milliseconds, after which something that was answered here counts as waiting again, if it still does.
  static let closingTime: Int64 = 5_000

  /// Notes that the person has answered an alert, so that it is no longer counted.
  mutating func close(_ alert: Alert, isPicked: Bool) {
    for id in isPicked ? [alert.id] : items(of: alert) { closing[id] = now.milliseconds }
  }

  /// Counts items as waiting again, if the times of their answers match.
  mutating func dropClosing(_ isOver: (Int64) -> Bool) {
    guard closing.values.contains(where: isOver) else { return }
    closing = closing.filter { !isOver($0.value) }
    revision += 1
  }

  /// Returns the ids of the waiting items that the alert answers.
  private func items(of alert: Alert) -> [Alert.ID] {
    [alert.id] + (alert.request?.requestIDs ?? []).map { Alert.ID($0.text) }
  }

  /// Withdraws an alert that no program waits for any longer. If the alert is on the screen, it stays there and says
  /// that it was withdrawn, unless the person started a panic from the form. In all other cases, the alert disappears.
  mutating func withdraw(_ id: Alert.ID) {
    wanted.remove(id)
    arrived.removeAll { $0.id == id }
    setAside.removeAll { $0.id == id }
    if form?.alertID == id, form?.endsByPanic == true {
      form = nil
      report = Report(text: "Denied by the panic, with everything else that waited.")
    } else if form?.alertID == id {
      // The form stays open, so that a line being typed keeps the focus. Otherwise, the next letters would be taken as
      // commands.
      let denies = form?.isWithdrawn == false && isDenying
      form?.wasBeingDenied = denies
      form?.isWithdrawn = true
      let moment = now.milliseconds
      form?.lostAt = moment
      form?.focus = 0
      prompt.open(.notice)
      offerToTakeBack()
    }
    revision += 1
  }

  /// Notes the reason why an alert on the screen has been or will be withdrawn.
  mutating func noteAnsweredInAgent(_ id: Alert.ID) {
    guard form?.alertID == id else { return }
    form?.isAnsweredInAgent = true
    revision += 1
  }

  /// Notes whether a broker presents the alert that is on the screen. Each change restarts the wait before an answer.
  mutating func setBacked(_ isBacked: Bool, _ id: Alert.ID) {
    guard form?.alertID == id else { return }
    form?.isUnbacked = !isBacked
    restartWait()
  }

  /// Shows the next alert if one may appear now. An alert that the person asked for appears immediately. Otherwise, the
  /// alert that has waited longest appears after a pause without key presses.
  mutating func showNextAlert(_ room: AlertRoom) {
    guard let next = placeOfNextAlert(room) else { return }
    let alert = arrived.remove(at: next)
    wanted.remove(alert.id)
    open(Form(.alert(alert)))
    if absentSince == prompt.lastInput { prompt.sleep() }
    revision += 1
  }

  private func placeOfNextAlert(_ room: AlertRoom) -> Int? {
    guard form == nil, room != .none, !arrived.isEmpty else { return nil }
    if let place = arrived.firstIndex(where: { wanted.contains($0.id) }) { return place }
    return room == .all && now.milliseconds >= prompt.appearsAt ? 0 : nil
  }

  /// Returns the time, in monotonic milliseconds, at which the event loop must wake up even if there is no input: to
  /// show an alert, to arm it, to act on a key press, to update a countdown, or to drop an expired decision. Returns
  /// `nil` if there is no such time.
  ///
  /// - Parameter ends: The times for which the screen shows countdowns.
  func nextDeadline(_ room: AlertRoom, countingTo ends: [Timestamp] = []) -> Int64? {
    var deadlines: [Int64] = []
    if !arrived.isEmpty, form == nil, room == .all { deadlines.append(prompt.appearsAt) }
    if let deadline = prompt.deadline { deadlines.append(deadline) }
    if let deadline = form?.seen.deadline(after: prompt.times.visible) { deadlines.append(deadline) }
    if let oldest = closing.values.min() { deadlines.append(oldest + Self.closingTime) }
    if let end = endOfGrace { deadlines.append(monotonic(end)) }
    if let expiry = data.nextExpiry { deadlines.append(monotonic(expiry)) }
    deadlines += ends.map { monotonic(Countdown(end: $0).nextChange(after: now.wall)) }
    return deadlines.min()
  }

  /// Converts a wall-clock time to the monotonic clock, from the current readings of both clocks. The result
  /// is always later than the current time.
  private func monotonic(_ moment: Timestamp) -> Int64 {
    let left = moment.microseconds.subtractingClamped(now.wall.microseconds)
    return now.milliseconds.addingClamped(max(1, left.addingClamped(999) / 1000))
  }
}
