import PermModel

/// A decision that the person is making for a program that is not asking right now. It uses the same form as a request.
struct DecisionDraft: Hashable, Sendable {
  var subject: Subject
  var capability: CapabilityRow
  /// The current decision; `nil` if there is none.
  var current: DecisionRow?
  var lifetimes: [LifetimeOffer]

  /// The requirements that can be chosen. A decision about certain values is changed for exactly these values.
  var choices: [RequirementChoice] {
    guard let current, current.atoms.contains(where: { $0.scope != .any }) else { return capability.choices }
    return [RequirementChoice(atoms: Set(current.atoms), title: capability.words(for: current.atoms))]
  }

  /// The end of the sentence "backup asks to …".
  var action: String {
    guard let definition = capability.definition, choices.count == 1, let atoms = choices.first?.atoms else {
      return capability.action
    }
    return definition.action(for: atoms)
  }

  init(subject: Subject, capability: CapabilityRow, current: DecisionRow?) {
    self.subject = subject
    self.capability = capability
    self.current = current
    lifetimes = [
      LifetimeOffer(.once, disabledReason: "nothing asks now"),
      LifetimeOffer(.process, disabledReason: "no process asks now"),
      LifetimeOffer(.session), LifetimeOffer(.duration(.seconds(600))),
      LifetimeOffer(.duration(.seconds(8 * 3600))), LifetimeOffer(.forever),
    ]
  }
}
