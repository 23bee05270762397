import Machine
import PermModel

/// The showing of one alert at several places.
struct SharedShowing {
  enum Event: Sendable {
    case placesChanged
    /// The visit with this id has ended, with its response.
    case ended(Int, AlertResponse?)
    /// The alert was set aside, or reopened, at the place with this number.
    case setAside(Int), reopened(Int)
  }

  /// One presenter's showing of the alert.
  private struct Visit {
    var id: Int
    var place: AttachedPresenters.Place
    var task: Task<Void, Never>
    /// Whether the alert was taken off this presenter's screen.
    var isOver = false
  }

  private let turn: SharedTurn
  private let send: AsyncStream<Event>.Continuation
  private var visits: [Visit] = []
  private var lastVisit = 0
  /// The places that declined to show this alert. They are asked again when a place is added or removed.
  private var declined: Set<Int> = []
  /// The place where the alert was set aside.
  private var aside: Int?

  init(_ turn: AlertTurn, _ send: AsyncStream<Event>.Continuation) {
    self.turn = SharedTurn(turn)
    self.send = send
  }

  /// Handles an event, and returns the response that ends the showing, with its place.
  mutating func take(
    _ event: Event, at places: [AttachedPresenters.Place]
  ) -> (response: AlertResponse, place: AttachedPresenters.Place)? {
    switch event {
    case .placesChanged:
      declined = []
      if let aside, !places.contains(where: { $0.number == aside }) {
        self.aside = nil
        turn.leave(aside)
      }
    case .ended(let id, let response):
      guard let place = visits.firstIndex(where: { $0.id == id }) else { break }
      let visit = visits.remove(at: place)
      guard !visit.isOver else { break }
      let isThere = places.contains { $0.number == visit.place.number }
      // After the alert was set aside at one place, no answer from another place counts.
      if let response, isThere, turn.end(at: visit.place.number) { return (response, visit.place) }
      if turn.place == nil { declined.insert(visit.place.number) }
    case .setAside(let number): aside = aside ?? number
    case .reopened(let number): if aside == number { aside = nil }
    }
    show(at: places)
    return nil
  }

  /// Shows the alert at the places where it belongs now, and takes it off all others.
  private mutating func show(at places: [AttachedPresenters.Place]) {
    let wanted = places.filter { !declined.contains($0.number) && (aside ?? $0.number) == $0.number }
    for index in visits.indices where !wanted.contains(where: { $0.number == visits[index].place.number }) {
      visits[index].isOver = true
      visits[index].task.cancel()
    }
    for place in wanted where !visits.contains(where: { $0.place.number == place.number }) {
      lastVisit += 1
      let task = Task.quiet { [turn, send, lastVisit] in
        let response = try? await place.presenter.show(turn.part(of: place, send))
        send.yield(.ended(lastVisit, response))
      }
      visits.append(Visit(id: lastVisit, place: place, task: task))
    }
  }

  /// The alert as it was shown last; `nil` if it was not shown.
  var shown: Alert? {
    get async { await turn.shown }
  }

  /// Whether the alert is at a place that has neither declined it nor set it aside.
  var isShown: Bool { aside == nil && visits.contains { !$0.isOver } }

  /// Takes the alert off all screens.
  func end() async {
    turn.end()
    for visit in visits { visit.task.cancel() }
    for visit in visits { await visit.task.value }
    send.finish()
  }
}

/// A turn that several presenters take together. Its alert is determined only once, until it is set aside. Of an answer
/// and a setting aside that happen in the same moment, the first counts.
final class SharedTurn: Sendable {
  private enum Phase: Equatable {
    case shown
    /// The alert was set aside at the place with this number.
    case aside(Int)
    case ended
  }

  private struct State {
    var phase = Phase.shown
    /// The dashboard that set the alert aside last. The alert is shown again because that dashboard reopens it or leaves.
    var aside: Origin?
    var current: Task<Alert?, Never>?
  }

  private let base: AlertTurn
  private let state = Lock(State())

  init(_ base: AlertTurn) { self.base = base }

  /// The number of the place where the alert is set aside; `nil` if it is not.
  var place: Int? {
    if case .aside(let number) = state.withLock({ $0.phase }) { number } else { nil }
  }

  /// Returns the turn for the presenter at one place.
  func part(
    of place: AttachedPresenters.Place, _ send: AsyncStream<SharedShowing.Event>.Continuation
  ) -> AlertTurn {
    AlertTurn(id: base.id) { [self] in
      if reopen(at: place.number) { send.yield(.reopened(place.number)) }
      return await alert()
    } setAside: { [self] in
      guard setAside(at: place) else { return }
      await base.setAside(by: .dashboard(id: place.dashboard))
      send.yield(.setAside(place.number))
    }
  }

  /// Ends the turn with a response from one place. Returns `false` if the alert was set aside at another place first.
  func end(at number: Int) -> Bool {
    state.withLock { state in
      if case .aside(let place) = state.phase, place != number { return false }
      state.phase = .ended
      return true
    }
  }

  /// Stops waiting for the alert.
  func end() {
    state.withLock { state in
      state.phase = .ended
      return state.current
    }?.cancel()
  }

  /// The alert as it was shown last; `nil` if it was not shown.
  var shown: Alert? {
    get async { await state.withLock { $0.current }?.value }
  }

  private func setAside(at place: AttachedPresenters.Place) -> Bool {
    state.withLock { state in
      guard state.phase == .shown else { return false }
      (state.phase, state.current) = (.aside(place.number), nil)
      state.aside = .dashboard(id: place.dashboard)
      return true
    }
  }

  /// Notes that the place where the alert was set aside has gone, so that it is shown at the others again.
  func leave(_ number: Int) { _ = reopen(at: number) }

  private func reopen(at number: Int) -> Bool {
    state.withLock { state in
      guard state.phase == .aside(number) else { return false }
      state.phase = .shown
      return true
    }
  }

  private func alert() async -> Alert? {
    let task: Task<Alert?, Never>? = state.withLock { state in
      guard state.phase == .shown else { return nil }
      let task =
        state.current ?? Task.quiet { [base, aside = state.aside] in await base.alert(reopenedBy: aside) }
      state.current = task
      return task
    }
    return await task?.value
  }
}
