import PermBroker
import PermModel

extension Desk {
  /// A response that the board might not know yet.
  enum Response: Hashable, Sendable {
    case answered, setAside
  }

  /// The alerts that can come up, in order, without the one on the screen and those that the person has responded to.
  var arrivals: [DashboardPicture.Shown] {
    let open = form?.isWithdrawn == false ? form?.turn : nil
    return picture.shown.filter { $0.turn != open && responses[$0.turn] == nil }
  }

  var arrived: [Alert] { arrivals.map(\.alert) }

  /// The alerts that were set aside at this dashboard, in that order.
  var setAside: [Alert] {
    let leaving = picture.shown.filter { responses[$0.turn] == .setAside }.map(\.alert)
    return leaving.isEmpty ? picture.aside : picture.aside + leaving
  }

  /// Takes the alerts as they are on the board now. If the one on the screen is not among them any more, it stays there and
  /// says so. One with the same digest is the same, also if another broker shows it.
  mutating func take(_ picture: DashboardPicture) {
    let known = Set(self.picture.shown.map(\.turn))
    self.picture = picture
    responses = responses.filter { response in picture.shown.contains { $0.turn == response.key } }
    for shown in picture.shown where !known.contains(shown.turn) {
      for id in shown.alert.items { closing[id] = nil }
      // The demo's story says that it is over in whatever view the person is. Nothing can be answered there.
      if context.isDemo, case .notice = shown.alert.content { wanted.insert(shown.alert.id) }
    }
    revision += 1
    guard let form, let turn = form.turn, let alert = form.alert, !form.isWithdrawn else { return }
    let same = picture.shown.first { $0.turn == turn } ?? picture.shown.first { $0.alert.isSame(as: alert) }
    guard let same else { return withdrawForm() }
    self.form?.turn = same.turn
    setBacked(same.isBacked)
  }

  /// The time, in milliseconds, after which something that was answered here counts as waiting again, if it still does.
  static let closingTime: Int64 = 5_000

  /// Notes that the person has answered an alert, so that it is no longer counted.
  mutating func close(_ alert: Alert, isPicked: Bool) {
    for id in isPicked ? [alert.id] : alert.items { closing[id] = now.milliseconds }
  }

  /// Counts items as waiting again, if the times of their answers match.
  mutating func dropClosing(_ isOver: (Int64) -> Bool) {
    guard closing.values.contains(where: isOver) else { return }
    closing = closing.filter { !isOver($0.value) }
    revision += 1
  }

  /// Shows alerts again whose responses could not be sent.
  mutating func dropResponse(to id: Alert.ID) {
    for shown in picture.shown where shown.alert.id == id { responses[shown.turn] = nil }
    revision += 1
  }

  /// Withdraws the alert on the screen, because no program waits for its answer any longer. It stays there and says that it
  /// was withdrawn, unless the person started a panic from it.
  mutating func withdrawForm() {
    revision += 1
    if form?.endsByPanic == true {
      form = nil
      report = Report(text: "Denied by the panic, with everything else that waited.")
      return
    }
    let (moment, isDenying) = (now.milliseconds, isDenying)
    form?.withdraw(at: moment, isDenying: isDenying)
    prompt.open(.notice)
    offerToTakeBack()
  }

  /// Notes the reason why an alert on the screen has been or will be withdrawn.
  mutating func noteAnsweredInAgent(_ id: Alert.ID) {
    guard form?.alertID == id else { return }
    form?.reason = .answeredInAgent
    revision += 1
  }

  /// Notes whether a broker waits for the answer to the alert on the screen. Each change restarts the wait before an
  /// answer.
  private mutating func setBacked(_ isBacked: Bool) {
    guard let form, form.isUnbacked == isBacked else { return }
    self.form?.standing = isBacked ? .awaited : .unbacked
    restartWait()
  }

  /// Shows the next alert if one may appear now. An alert that the person asked for appears immediately. Otherwise, the
  /// alert that has waited longest appears after a pause without key presses.
  ///
  /// - Returns: The alert that has come up; `nil` if none has.
  mutating func showNextAlert(_ room: AlertPolicy) -> Alert? {
    guard let next = placeOfNextAlert(room) else { return nil }
    let arrival = arrivals[next]
    wanted.remove(arrival.alert.id)
    var form = Form(.alert(arrival.alert))
    form.turn = arrival.turn
    if !arrival.isBacked { form.standing = .unbacked }
    open(form)
    if absentSince == prompt.lastInput { prompt.sleep() }
    revision += 1
    return arrival.alert
  }

  private func placeOfNextAlert(_ room: AlertPolicy) -> Int? {
    guard form == nil, room != .none, !arrived.isEmpty else { return nil }
    if let place = arrived.firstIndex(where: { wanted.contains($0.id) }) { return place }
    return room == .all && now.milliseconds >= prompt.appearsAt ? 0 : nil
  }

  /// Returns the time, in monotonic milliseconds, at which the event loop must wake up even if there is no input: to
  /// show an alert, to arm it, to act on a key press, to update a countdown, or to drop an expired decision. Returns
  /// `nil` if there is no such time.
  ///
  /// - Parameter ends: The times for which the screen shows countdowns.
  func nextDeadline(_ room: AlertPolicy, countingTo ends: [Timestamp] = []) -> Int64? {
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

extension Alert {
  /// Whether this is the same alert, as far as its answer is concerned.
  fileprivate func isSame(as other: Alert) -> Bool { id == other.id && digest == other.digest }

  /// The ids of the waiting items that the alert answers: its own, and those of its requests.
  var items: [ID] { [id] + requestItems }

  /// The ids of the waiting items of all requests that the alert answers.
  var requestItems: [Alert.ID] {
    requestIDs.map { Alert.ID($0.text, machine: id.machine) }
  }

  /// The request of an alert that answers no other request; `nil` if there are several, or none.
  var onlyRequest: Request? { request.flatMap { $0.requestIDs.count == 1 ? $0.request : nil } }
}
