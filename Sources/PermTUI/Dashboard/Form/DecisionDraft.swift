import PermModel

/// A decision that the person is making for a program that is not asking right now. It uses the same form as a request.
struct DecisionDraft: Hashable, Sendable {
  var subject: Subject
  var capability: CapabilityRow
  /// The current decision; `nil` if there is none.
  var current: DecisionRow?
  var lifetimes: [LifetimeOffer]

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
