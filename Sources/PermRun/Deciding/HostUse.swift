import PermBroker
import PermModel

/// A connection that has to be allowed.
struct HostUse: AskedUse {
  let host: Host
  let port: UInt16
  /// Whether the program has named another host, which leads to this one. Then only decisions about this very host count.
  var isBehindName = false

  var caution: RunQuestion.Caution? { isBehindName ? .behindName : nil }
  var atom: Atom { Atom("network", "connect", .host(host, port: port)) }
}
