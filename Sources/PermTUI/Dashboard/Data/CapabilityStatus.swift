import PermModel

/// A capability's present status, all programs taken together.
enum CapabilityStatus: Hashable, Sendable {
  case waiting(Int)
  case allowed, denied, mixed
  /// No decision exists: nobody has asked yet, or the answer was not kept.
  case unasked, undecided
  /// Its allows are suspended while the panic lasts.
  case suspended
  case unavailable

  var words: String {
    switch self {
    case .waiting(let count): "\(count) waiting"
    case .allowed: "allowed"
    case .denied: "denied"
    case .mixed: "mixed"
    case .unasked: "not asked"
    case .undecided: "undecided"
    case .unavailable: "unavailable"
    case .suspended: "suspended"
    }
  }
}

extension DashboardData {
  func status(of capability: CapabilityRow) -> CapabilityStatus {
    if capability.unavailability != nil { return .unavailable }
    let waiting = waiting(for: capability.id).count
    if waiting > 0 { return .waiting(waiting) }
    let hasAllow = count(of: capability.id, .allow) > 0
    if hasAllow, panicSince != nil { return .suspended }
    switch (!hasAllow, count(of: capability.id, .deny) == 0) {
    case (true, true): return capability.lastAsked == nil ? .unasked : .undecided
    case (false, true): return .allowed
    case (true, false): return .denied
    case (false, false): return .mixed
    }
  }
}
