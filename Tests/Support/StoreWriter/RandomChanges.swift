import PermModel

/// Random changes of a store, the same ones for the same seed.
struct RandomChanges {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 2_862_933_555_777_941_757 &+ 3_037_000_493 }

  /// Makes one change. Programs are few, so that changes collide.
  mutating func make(in store: any PermissionStore) throws(StoreError) {
    let subject = Subject(label: "program \(below(8))", path: below(3) == 0 ? nil : "/bin/program")
    let atom = Atom(["photos", "camera"][below(2)], ["read", "add-only"][below(2)])
    switch below(10) {
    case 0..<5:
      let lifetime = [LifetimeChoice.forever, .duration(.milliseconds(below(40))), .session][below(3)]
      let verdict = Verdict.allCases[below(2)]
      try store.decide(Ruling(verdict, subject: subject, atoms: [atom], lifetime: lifetime), by: .library)
    case 5:
      try store.forget(DecisionFilter(label: subject.label), by: .commandLine)
    case 6, 7:
      do {
        try store.undo(by: .commandLine)
      } catch StoreError.nothingToUndo, StoreError.undoRefused {
        return
      }
    default: try use(subject, atom, in: store)
    }
  }

  private func use(_ subject: Subject, _ atom: Atom, in store: any PermissionStore) throws(StoreError) {
    let standing = try store.standing(of: subject, capability: atom.capability)
    guard let decision = standing.decisions[atom] else { return }
    try store.record(
      AutomaticAnswer(
        decision.verdict, subject: subject, capability: atom.capability, atoms: [atom],
        reason: "decided before",
        decisions: [decision]))
  }

  private mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }
}
