/// The effect of a kept decision now.
package enum DecisionEffect: Hashable, Sendable {
  case holds
  /// An allow that a denial for everyone or the machine's policy takes back for some values.
  case holdsPartly
  /// An allow that has no effect while a program may write what the line runs.
  case rests(writer: String)
  /// An allow that has no effect while the panic lasts.
  case suspended
  /// An allow that has no effect because everyone is denied the same.
  case deniedForEveryone
  /// An allow that has no effect because the machine's policy forbids the same.
  case forbiddenByPolicy
}

extension Judge {
  /// Whether the policy forbids anything of the capability to the program.
  package var hasRestrictions: Bool { !restricted.isEmpty }

  /// Returns the effect of a kept allow, by the rules that also determine the answers to requests.
  ///
  /// - Parameters:
  ///   - denials: The denials of this capability for everyone.
  ///   - panicSince: The beginning of the panic; `nil` if there is none.
  package func effect(
    of allow: Decision, beside denials: [Decision], panicSince: Timestamp?
  ) -> DecisionEffect {
    let scope = allow.atom.scope
    // A denial of only some of the values leaves the others allowed.
    let whole = restricted { $0.scope.denied.covers(scope) }
      .state(of: allow, beside: denials.filter { $0.atom.scope.denied.covers(scope) })
    switch Outlook([whole], mute: nil, suspendedSince: panicSince).cause {
    case .policy: return .forbiddenByPolicy
    case .panic: return whole == .denied ? .deniedForEveryone : .suspended
    case .decision where whole == .allowed:
      return state(of: allow, beside: denials) == .allowed ? .holds : .holdsPartly
    default: return whole == .denied ? .deniedForEveryone : .holdsPartly
    }
  }

  private func state(of allow: Decision, beside denials: [Decision]) -> AtomState {
    var standing = DecisionsInForce(decisions: [allow.atom: allow])
    standing.everyone = denials
    return judgement(on: [allow.atom], standing).decided.state(of: allow.atom)
  }

  /// Whether denials for everyone, or the policy, leave no program anything of a capability.
  ///
  /// - Parameter denials: The denials of this capability for everyone.
  package static func isDeniedToEveryone(
    _ definition: CapabilityDefinition, by denials: [Decision], under policy: MachinePolicy
  ) -> Bool {
    let anyone = Subject(label: "")
    var standing = DecisionsInForce()
    standing.everyone = denials.filter { $0.atom.scope == .any }
    let judgement = Judge(of: anyone, definition, under: .none).judgement(on: [], standing)
    return definition.atoms.allSatisfy {
      judgement.decided.state(of: $0) == .denied || policy.forbids($0, to: anyone, definition)
    }
  }
}
