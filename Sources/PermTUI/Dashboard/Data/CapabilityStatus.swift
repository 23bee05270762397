import PermModel

/// What holds for a capability now, all programs taken together.
enum CapabilityStatus: Hashable, Sendable {
  case waiting(Int)
  case allowed, denied, mixed
  /// Nothing is decided: nobody has asked yet, or what was answered was not kept.
  case unasked, undecided
  /// What is allowed rests while the panic holds.
  case suspended
  case unavailable, restricted
}

extension DashboardData {
  func status(of capability: CapabilityRow) -> CapabilityStatus {
    switch capability.availability {
    case .unavailable: return .unavailable
    case .restricted: return .restricted
    case .available: break
    }
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
