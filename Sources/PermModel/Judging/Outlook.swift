/// The answer that a program would get if it asked now, and the cause of that answer.
package struct Outlook: Hashable, Sendable {
  package enum Cause: Hashable, Sendable {
    case policy
    case panic(since: Timestamp)
    case decision
    /// A request for nothing that needs a permission.
    case needsNone
    case mute(Lifetime)
    /// A request of which only some parts were decided.
    case partlyUndecided
    case undecided
  }

  /// The answer; `nil` if a person would be asked.
  package let verdict: Verdict?
  package let cause: Cause

  /// - Parameters:
  ///   - states: The states of the atoms that are asked for, as decisions and the policy determine them.
  ///   - mute: The lifetime of the decision that mutes the program; `nil` if it is not muted.
  ///   - suspendedSince: The start of the panic; `nil` if there is none.
  package init(_ states: Set<AtomState>, mute: Lifetime?, suspendedSince: Timestamp?) {
    (verdict, cause) = Self.finding(states, mute, suspendedSince)
  }

  private static func finding(
    _ states: Set<AtomState>, _ mute: Lifetime?, _ suspendedSince: Timestamp?
  ) -> (Verdict?, Cause) {
    if states.contains(.restricted) { return (.deny, .policy) }
    if let suspendedSince { return (.deny, .panic(since: suspendedSince)) }
    if states.contains(.denied) { return (.deny, .decision) }
    guard states.contains(.undecided) else { return (.allow, states.isEmpty ? .needsNone : .decision) }
    if let mute { return (.deny, .mute(mute)) }
    return (nil, states.contains(.allowed) ? .partlyUndecided : .undecided)
  }
}
