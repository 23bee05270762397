extension CapabilityDefinition {
  /// Returns the definition with words that claim no more than a question in this dialect says.
  func worded(in dialect: Dialect?) -> CapabilityDefinition {
    guard dialect == .deno else { return self }
    var definition = self
    definition.parts = parts.map { part in
      var part = part
      switch (name, part.name) {
      case ("network", "connect"):
        (part.valueAction, part.action) = ("connect to, or listen on", "connect to, or listen on, any host")
        part.explanation = "Anything that the program knows can be sent there, or others can connect."
      case ("commands", "run"):
        part.explanation =
          "Deno does not say with which arguments it is run, so they can be any. \(part.explanation)"
      case ("environment", "read"): part.valueAction = "read or set"
      default: break
      }
      return part
    }
    return definition
  }
}
