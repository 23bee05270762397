/// The status of a capability whose atoms are allowed and denied separately.
public struct StandardStatus<Requirement: CapabilityRequirement>: AuthorizationStatus {
  /// The states of all atoms of the capability and of the requirement.
  package var states: [Atom: AtomState]

  /// Creates a status. Atoms without a state are undecided.
  public init(_ states: [Atom: AtomState] = [:]) { self.states = states }

  public subscript(atom: Atom) -> AtomState { states[atom, default: .undecided] }

  public func meets(_ requirement: Requirement) -> Bool {
    requirement.atoms.allSatisfy { self[$0] == .allowed }
  }

  public var summary: StatusSummary { StatusSummary(states.values) }

  public var description: String {
    guard states.count > 1 else { return states.first?.value.description ?? "\(summary)" }
    return describe(states.sorted { $0.key < $1.key }.map { ($0.key.name, $0.value) })
  }
}

extension StandardStatus: PartedStatus {
  func state(of atom: Atom) -> AtomState? { states[atom] }
}

extension DecidedAtoms {
  /// Returns the state of a part, in a type with one more state than ``AtomState``. The additional state,
  /// `smaller`, means that only a smaller part is allowed. Its raw value is the name of that part.
  func state<State: RawRepresentable<String>>(of part: String, orOnly smaller: State) -> State {
    let whole = state(of: part)
    switch (whole, state(of: smaller.rawValue)) {
    case (.restricted, .allowed), (.denied, .allowed), (.undecided, .allowed): return smaller
    case (.undecided, .denied): return State(rawValue: AtomState.denied.rawValue) ?? smaller
    default: return State(rawValue: whole.rawValue) ?? smaller
    }
  }

  func states(of atoms: Set<Atom>) -> [Atom: AtomState] {
    Dictionary(uniqueKeysWithValues: atoms.map { ($0, state(of: $0)) })
  }
}

/// Returns the states in words, leaving out undecided ones, for example `events allowed, reminders denied`.
func describe(_ states: [(String, AtomState)]) -> String { describe(states.map { ($0, $1.rawValue) }) }

func describe(_ states: [(String, String)]) -> String {
  let answered = states.filter { $0.1 != AtomState.undecided.rawValue }
  guard !answered.isEmpty else { return AtomState.undecided.description }
  return answered.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
}
