import PermModel

extension Wire {
  /// A capability, or some of its parts and values.
  struct Requirement: Codable, Hashable, Sendable {
    /// The name of the capability or, if there are neither ``parts`` nor ``values``, a reference to some of its parts, such
    /// as `calendar:reminders`.
    var capability: String
    /// The parts that are meant as a whole, beside those in ``values``.
    var parts: [String]?
    var values: [Value]?
  }
}

extension Wire.Requirement {
  init(_ reference: CapabilityReference) {
    let atoms = reference.atoms
    self.init(
      capability: reference.capability, parts: atoms.isEmpty ? nil : atoms.wholeParts,
      values: atoms.wireValues)
  }
}
