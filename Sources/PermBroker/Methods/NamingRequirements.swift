/// The parameters of a call that is about one requirement or several.
protocol NamingRequirements {
  var capability: String? { get }
  var parts: [String]? { get }
  var values: [Wire.Value]? { get }
  var capabilities: [Wire.Requirement]? { get }
}

extension NamingRequirements {
  /// Returns the requirements that the call names; none if it names no capability.
  ///
  /// - Throws: ``BrokerError/invalid(parameter:reason:)`` if parts or values have no capability, or if a list is empty. The
  ///   call could otherwise mean far more than its sender knows.
  func requirements() throws(BrokerError) -> [Wire.Requirement] {
    guard capability != nil || (parts == nil && values == nil) else {
      throw .invalid(parameter: "capability", reason: "parts and values need the name of their capability")
    }
    if let capabilities, capabilities.isEmpty {
      throw .invalid(parameter: "capabilities", reason: "leave it out, or name at least one")
    }
    let single = capability.map { Wire.Requirement(capability: $0, parts: parts, values: values) }
    return [single].compactMap(\.self) + (capabilities ?? [])
  }
}
