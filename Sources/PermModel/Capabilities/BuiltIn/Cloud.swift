extension Capability {
  /// The files in this user's cloud accounts.
  public struct Cloud: BuiltInCapability {
    public enum Permission: String, Sendable, CaseIterable { case read, write }

    /// The requested permissions and the account to which they apply. If no permissions are requested, the
    /// requirement only asks whether there is an account.
    public struct Requirement: CapabilityRequirement {
      public var permissions: Set<Permission>
      /// The account's name, for example the name of an rclone remote; `nil` for all accounts.
      public var container: String?
      /// All that is requested, if it is about several containers.
      fileprivate var several: Set<Atom> = []

      public static let read = Requirement([.read])
      public static let write = Requirement([.write])

      public init(_ permissions: Set<Permission> = [], container: String? = nil) {
        self.permissions = permissions
        self.container = container
      }

      /// Creates a requirement from atoms, which can be about several containers.
      public init(atoms: Set<Atom>) {
        let own = atoms.filter { $0.capability == Cloud.definition.name }
        let scopes = Set(own.map(\.scope))
        permissions = Set(own.compactMap { Permission(rawValue: $0.name) })
        if case .name(let name)? = scopes.first, scopes.count == 1 { container = name }
        if scopes.count > 1 { several = own }
      }

      public var atoms: Set<Atom> { several.isEmpty ? Set(permissions.map(atom)) : several }

      /// Returns what is requested of one permission.
      fileprivate func atoms(of permission: Permission) -> Set<Atom> {
        several.isEmpty ? [atom(permission)] : several.filter { $0.name == permission.rawValue }
      }

      func atom(_ permission: Permission) -> Atom {
        Atom(Cloud.definition.name, permission.rawValue, container.map { .name($0) } ?? .any)
      }
    }

    /// The state of the account. It is `restricted` if the machine's policy forbids reading from the account.
    public enum Account: Hashable, Sendable {
      case couldNotDetermine(reason: String)
      case noAccount
      case restricted
      case available
    }

    /// The state of the account, together with the states of the permissions.
    public struct Status: AuthorizationStatus {
      public var account: Account
      /// The name of the account to which the permissions apply; `nil` for all accounts.
      public var container: String?
      public var read: AtomState
      public var write: AtomState
      /// All that the status is about, if it is about several containers.
      fileprivate var several: Set<Atom> = []

      public init(
        account: Account = .available, container: String? = nil, read: AtomState = .undecided,
        write: AtomState = .undecided
      ) {
        self.account = account
        self.container = container
        self.read = read
        self.write = write
      }

      public func meets(_ requirement: Requirement) -> Bool {
        guard account == .available else { return false }
        guard !requirement.permissions.isEmpty else { return true }
        return covers(requirement)
          && requirement.permissions.allSatisfy { ($0 == .read ? read : write) == .allowed }
      }

      private func covers(_ requirement: Requirement) -> Bool {
        guard several.isEmpty else { return requirement.atoms.isSubset(of: several) }
        return container == nil || container == requirement.container
      }

      public var summary: StatusSummary {
        account == .restricted ? .restricted : StatusSummary([read, write])
      }

      public var description: String {
        switch account {
        case .couldNotDetermine(let reason): "could not determine: \(reason)"
        case .noAccount: "no account"
        case .restricted: "restricted"
        case .available: describe([("read", read), ("write", write)])
        }
      }
    }

    public static let definition: CapabilityDefinition = {
      var definition = words
      definition.asksWithoutParts = true
      return definition
    }()

    private static let words = CapabilityDefinition(
      name: "cloud", title: "Cloud", summary: "The files in your cloud accounts.",
      parts: [
        CapabilityPart(
          "read", values: .name, action: "read the files in your cloud accounts",
          explanation: "Every file that the account can see may be copied to this machine."),
        CapabilityPart(
          "write", values: .name, action: "change the files in your cloud accounts",
          explanation: "Files may be uploaded, changed and deleted.", implies: ["read"]),
      ])

    public let requirement: Requirement

    public init(_ requirement: Requirement = Requirement()) { self.requirement = requirement }

    public func availability(in environment: ProbeEnvironment) async -> Availability {
      CloudAccounts(environment).availability(of: requirement.container)
    }

    public func probedPaths(in environment: ProbeEnvironment) -> [String] {
      CloudAccounts(environment).files
    }

    public func status(from facts: CapabilityFacts) -> Status {
      func state(_ permission: Permission) -> AtomState {
        let states = Set(requirement.atoms(of: permission).map(facts.decided.state))
        return [.restricted, .denied, .undecided].first(where: states.contains)
          ?? (states.isEmpty ? .undecided : .allowed)
      }
      let read = state(.read)
      var status = Status(
        account: account(facts.availability, isRestricted: read == .restricted),
        container: requirement.container, read: read, write: state(.write))
      status.several = requirement.several
      return status
    }

    private func account(_ availability: Availability, isRestricted: Bool) -> Account {
      if isRestricted { return .restricted }
      guard let why = availability.unavailability else { return .available }
      return why.cause == .missing ? .noAccount : .couldNotDetermine(reason: why.reason)
    }
  }
}
