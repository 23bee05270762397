import Testing

@testable import Operations

@Suite("The state of a queue")
struct QueueStateTests {
  private typealias State = QueueState<Label>
  private typealias Effects = QueueEffects<Label>

  private func add(
    _ name: String, to state: inout State, _ effects: inout Effects, after: [SlotID] = [],
    _ traits: State.Traits = .init()
  ) -> SlotID {
    let id = state.insert(Label(name), traits)
    for dependency in after { _ = state.addDependency(id, on: dependency) }
    state.complete(id, &effects)
    return id
  }

  @Test("At most 64 tasks are created but not begun, and each that begins launches the next")
  func window() {
    var state = State()
    var effects = Effects()
    let ids = (0..<100).map { add("\($0)", to: &state, &effects) }
    #expect(effects.launches.all.count == State.launchWindow)
    effects = Effects()
    #expect(state.begin(ids[0], &effects) == .execute(ticket: .none))
    #expect(effects.launches.all == ["64"])
  }

  @Test("A cancelled operation that has been launched makes room in the window all the same")
  func cancelledLaunch() {
    var state = State()
    var effects = Effects()
    let ids = (0..<65).map { add("\($0)", to: &state, &effects) }
    effects = Effects()
    #expect(state.end(ids[0], &effects) != nil)
    #expect(state.begin(ids[0], &effects) == .leave)
    #expect(effects.launches.all == ["64"])
  }

  @Test("An operation ends once")
  func endsOnce() {
    var state = State()
    var effects = Effects()
    let id = add("one", to: &state, &effects)
    #expect(state.end(id, &effects) != nil)
    #expect(state.end(id, &effects) == nil)
    #expect(state.count == 0)
  }

  @Test("Dependents go in the order in which they were added")
  func dependents() {
    var state = State()
    var effects = Effects()
    let first = add("first", to: &state, &effects)
    for name in ["a", "b", "c"] { _ = add(name, to: &state, &effects, after: [first]) }
    effects = Effects()
    _ = state.end(first, &effects)
    #expect(effects.launches.all == ["a", "b", "c"])
  }

  @Test("No more operations have a place than the queue is wide, and children need none")
  func width() {
    var state = State()
    var effects = Effects()
    state.setWidth(2, &effects)
    let ids = ["a", "b", "c"].map { add($0, to: &state, &effects) }
    var child = State.Traits()
    child.isChild = true
    _ = add("child", to: &state, &effects, child)
    #expect(effects.launches.all == ["a", "b", "child"])
    effects = Effects()
    _ = state.end(ids[0], &effects)
    #expect(effects.launches.all == ["c"])
  }

  @Test("A suspended queue starts nothing but children, and goes on where it stopped")
  func suspension() {
    var state = State()
    var effects = Effects()
    state.setSuspended(true, &effects)
    var child = State.Traits()
    child.isChild = true
    var conditional = State.Traits()
    conditional.hasConditions = true
    _ = add("plain", to: &state, &effects)
    _ = add("conditional", to: &state, &effects, conditional)
    _ = add("child", to: &state, &effects, child)
    #expect(effects.launches.all == ["child"])
    effects = Effects()
    state.setSuspended(false, &effects)
    #expect(Set(effects.launches.all) == ["plain", "conditional"])
  }

  @Test("A ticket that is granted before its asking returned is neither lost nor used twice")
  func grantedEarly() {
    var state = State()
    var effects = Effects()
    var traits = State.Traits()
    traits.hasCategories = true
    let id = add("one", to: &state, &effects, traits)
    #expect(effects.requests.all == ["one"])
    let ticket = SlotID(index: 7, generation: 1)
    effects = Effects()
    #expect(state.granted(ticket, for: id, &effects))
    #expect(state.received(ticket, granted: false, for: id, inTask: false, &effects))
    #expect(effects.launches.all == ["one"])
  }

  @Test("A ticket for an operation that was cancelled while asking goes back")
  func cancelledWhileAsking() {
    var state = State()
    var effects = Effects()
    var traits = State.Traits()
    traits.hasCategories = true
    let id = add("one", to: &state, &effects, traits)
    _ = state.end(id, &effects)
    let ticket = SlotID(index: 7, generation: 1)
    #expect(!state.received(ticket, granted: true, for: id, inTask: false, &effects))
    #expect(!state.granted(ticket, for: id, &effects))
    #expect(effects.releases.all.isEmpty)
  }

  @Test("An operation that is cancelled between its looks and its ticket is left by its task")
  func cancelledAfterLooks() {
    var state = State()
    var effects = Effects()
    var traits = State.Traits()
    (traits.hasConditions, traits.hasCategories) = (true, true)
    let id = add("one", to: &state, &effects, traits)
    #expect(state.begin(id, &effects) == .look)
    _ = state.end(id, &effects)
    #expect(state.looked(id, &effects) == .leave)
    #expect(state.count == 0 && state.placesTaken == 0)
  }

  @Test("A history of sixteen steps is kept in order")
  func history() {
    var history = EventHistory()
    let steps: [OperationStep] = [
      .added, .dependenciesEnded, .evaluating, .waitingForTurn, .waitingForExclusion, .executing,
      .cancelRequested, .ended,
    ]
    for step in steps + steps { history.append(step) }
    #expect(history.steps == steps + steps)
    #expect(history.count == 16)
    #expect(EventHistory().count == 0)
  }
}

extension Few {
  fileprivate var all: [Element] {
    var all: [Element] = []
    forEach { all.append($0) }
    return all
  }
}
