import PermModel

/// A use that has to be allowed, and that a person can be asked about.
protocol AskedUse: Hashable, Sendable {
  var atom: Atom { get }
}
