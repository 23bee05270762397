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
      if let aside, !places.contains(where: { $0.number == aside }) { self.aside = nil }
    case .ended(let id, let response):
      guard let place = visits.firstIndex(where: { $0.id == id }) else { break }
      let visit = visits.remove(at: place)
      // A person might answer at one place in the moment in which the alert is set aside at another.
      let isThere = places.contains { $0.number == visit.place.number }
      if let response, isThere, !visit.isOver || response.isAnswer { return (response, visit.place) }
      if !visit.isOver { declined.insert(visit.place.number) }
    case .setAside(let number): aside = number
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
      let task = Task { [turn, send, lastVisit] in
        let response = try? await place.presenter.show(turn.part(of: place.number, send))
        send.yield(.ended(lastVisit, response))
      }
      visits.append(Visit(id: lastVisit, place: place, task: task))
    }
  }

  /// Takes the alert off all screens.
  func end() async {
    turn.end()
    for visit in visits { visit.task.cancel() }
    for visit in visits { await visit.task.value }
    send.finish()
  }
}

extension AlertResponse {
  /// Whether a person has responded to the question.
  fileprivate var isAnswer: Bool { self != .dismissed && self != .setAside }
}

/// A turn that several presenters take together: its alert is determined only once, until it is set aside.
private final class SharedTurn: Sendable {
  private let base: AlertTurn
  private let current = Lock<Task<Alert?, Never>?>(nil)

  init(_ base: AlertTurn) { self.base = base }

  /// Returns the turn for the presenter at one place.
  func part(of number: Int, _ send: AsyncStream<SharedShowing.Event>.Continuation) -> AlertTurn {
    let wasAside = Lock(false)
    return AlertTurn(id: base.id) { [self] in
      if wasAside.withLock({ $0.take() }) { send.yield(.reopened(number)) }
      return await alert()
    } setAside: { [self] in
      wasAside.withLock { $0 = true }
      current.withLock { $0 = nil }
      send.yield(.setAside(number))
      await base.setAside()
    }
  }

  private func alert() async -> Alert? {
    let task = current.withLock { current in
      let task = current ?? Task { [base] in await base.alert() }
      current = task
      return task
    }
    return await task.value
  }

  /// Stops waiting for the alert.
  func end() { current.withLock(\.self)?.cancel() }
}

extension Bool {
  /// Returns the value, and sets it to `false`.
  fileprivate mutating func take() -> Bool {
    defer { self = false }
    return self
  }
}
