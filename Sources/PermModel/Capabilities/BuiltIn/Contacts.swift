extension Capability {
  /// The people in this user's address books.
  public struct Contacts: CapabilityType {
    public enum Access: String, Sendable, CaseIterable { case read, write }

    public struct Requirement: CapabilityRequirement {
      public var access: Set<Access>

      public static let read = Requirement([.read])
      public static let write = Requirement([.write])

      public init(_ access: Set<Access>) { self.access = access }
      public init(atoms: Set<Atom>) { self.init(Set(atoms.parts(of: Access.self, in: Contacts.definition))) }
      public var atoms: Set<Atom> { Contacts.definition.atoms(access) }
    }

    public struct Status: AuthorizationStatus {
      public var read: AtomState
      public var write: AtomState

      public init(read: AtomState = .undecided, write: AtomState = .undecided) {
        self.read = read
        self.write = write
      }

      public subscript(access: Access) -> AtomState { access == .read ? read : write }

      public func meets(_ requirement: Requirement) -> Bool {
        requirement.access.allSatisfy { self[$0] == .allowed }
      }

      public var summary: StatusSummary { StatusSummary([read, write]) }
      public var description: String { describe([("read", read), ("write", write)]) }
    }

    public static let definition = CapabilityDefinition(
      name: "contacts", title: "Contacts", summary: "The people in your address books.",
      parts: [
        CapabilityPart(
          "read", action: "read your contacts",
          explanation: "All names, addresses, numbers and notes in your address books."),
        CapabilityPart(
          "write", action: "change your contacts", explanation: "Contacts may be added, changed and deleted."),
      ])

    public var definition: CapabilityDefinition { Self.definition }
    public let requirement: Requirement

    public init(_ requirement: Requirement = .read) { self.requirement = requirement }

    public func availability(in environment: ProbeEnvironment) async -> Availability {
      let books = AddressBooks(environment).books()
      guard !books.isEmpty else {
        let folder = environment.shortened(environment.contactFolders.first ?? environment.home)
        return .missing(
          "no address book is stored on this machine",
          remedy: "add one in Evolution, or put .vcf files into \(folder)")
      }
      return .available(found: books.count == 1 ? "1 address book" : "\(books.count) address books")
    }

    public func probedPaths(in environment: ProbeEnvironment) -> [String] { AddressBooks(environment).roots }

    public func status(from facts: CapabilityFacts) -> Status {
      Status(read: facts.decided.state(of: "read"), write: facts.decided.state(of: "write"))
    }
  }
}
