/// The two doors of a broker. Only `ask` may ever be given to a sandbox.
public enum BrokerSocket: String, Sendable, CaseIterable {
  /// Programs ask here, and look up their own status.
  case ask
  /// Persons answer and change here.
  case control
}
