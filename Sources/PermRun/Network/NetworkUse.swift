import PermBroker
import PermModel

/// A use of what lies outside of the run's own network.
enum NetworkUse: AskedUse {
  case host(HostUse)
  /// A socket of the host.
  case socket(FileUse)

  var atom: Atom {
    switch self {
    case .host(let use): use.atom
    case .socket(let use): use.atom
    }
  }

  var caution: RunQuestion.Caution? {
    switch self {
    case .host(let use): use.caution
    case .socket(let use): use.caution
    }
  }
}

/// The uses on which a connection rests.
struct Permission: Sendable {
  /// Lists of names for the same thing. One of each list must be allowed, and none denied.
  var needed: [[NetworkUse]]
  /// Lists of names of which none may be denied.
  var unopposed: [[NetworkUse]] = []
}
