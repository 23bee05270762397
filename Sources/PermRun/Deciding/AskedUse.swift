import PermModel

/// A use that has to be allowed, and that a person can be asked about.
protocol AskedUse: Hashable, Sendable {
  var atom: Atom { get }
}

extension AskedUse {
  /// The use as it is written on the command line.
  var text: String { "\(atom.capability):\(atom.name)@\(atom.scope.text)" }
}
