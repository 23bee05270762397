extension Capability {
  /// The files on this machine.
  public struct Files: ValueCapability, CapabilityWithExample {
    public enum Part: String, Sendable, CaseIterable { case read, write }

    public static let definition = CapabilityDefinition(
      name: "files", title: "Files", summary: "The files on this machine.",
      parts: [
        CapabilityPart(
          "read", values: .path, valueAction: "read", action: "read any file",
          explanation: "The contents of the files can be copied anywhere."),
        CapabilityPart(
          "write", values: .path, valueAction: "change", action: "change any file",
          explanation: "Files can be made, changed and deleted, and read.", implies: ["read"]),
      ], defaultParts: [])

    public let requirement: AtomRequirement

    public init(_ requirement: AtomRequirement) { self.requirement = requirement }

    /// Creates the capability to read or change files. A path that ends with a slash means the folder with everything below
    /// it.
    ///
    /// - Throws: ``ScopeError`` if a path is not whole, or contains `..`. The error says what would work.
    public init(_ part: Part, _ path: String, _ more: String...) throws(ScopeError) {
      let scopes = try ([path] + more).map { path throws(ScopeError) in try Scope(path: path) }
      self.init(part, in: Set(scopes))
    }

    package var example: CapabilityExample? { requirement.single.flatMap(Self.example) }
  }
}
