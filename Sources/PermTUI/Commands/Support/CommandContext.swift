import Glibc
import PermBroker
import PermModel

/// What a command works with, so that it can run in a test as it does in a shell.
struct CommandContext: Sendable {
  let console: Console
  let environment: [String: String]
  /// Clocks, ids and the life signs of sessions and processes.
  let world: StoreEnvironment
  /// The capabilities of this person, and where their machine is looked at.
  let configuration: UserConfiguration
  let catalogue: CapabilityCatalogue
  private let givenPolicy: MachinePolicy?
  let storeOption: String?
  private let givenStore: (any PermissionStore)?

  /// - Parameters:
  ///   - storeOption: the path that `--store` names.
  ///   - policy: takes the place of the machine's, for tests.
  ///   - store: takes the place of the file, for tests.
  init(
    console: Console, environment: [String: String], world: StoreEnvironment,
    configuration: UserConfiguration, storeOption: String? = nil, policy: MachinePolicy? = nil,
    store: (any PermissionStore)? = nil
  ) {
    self.console = console
    self.environment = environment
    self.world = world
    self.configuration = configuration
    catalogue = configuration.catalogue
    givenPolicy = policy
    self.storeOption = storeOption
    givenStore = store
  }

  /// The context of this process, with the streams and the machine that it was given.
  static func process(storeOption: String?, noColor: Bool = false) -> CommandContext {
    let environment = ProcessEnvironment.current()
    return CommandContext(
      console: .standard(environment: environment, noColor: noColor), environment: environment,
      world: .linux(sessionFolder: environment["XDG_RUNTIME_DIR"].map { $0 + "/permtui" }),
      configuration: .read(.current), storeOption: storeOption)
  }

  /// Where this machine is looked at.
  var probes: ProbeEnvironment { configuration.environment }

  /// Whether a test gave the store, which no broker serves.
  var hasGivenStore: Bool { givenStore != nil }

  /// The present moment, by the clock that decisions are judged by.
  var now: Timestamp { world.now().wall }
}

// MARK: The store

/// What a command wants of the store.
enum StoreAccess: Sendable {
  /// Where no store is yet, none is made.
  case read
  /// One that is named must be there.
  case ask
  case change
}

extension CommandContext {
  /// The path of the store that option or environment names.
  func storePath() throws(CommandError) -> String {
    try StoreLocation.path(option: storeOption, environment: environment)
  }

  /// The store that option or environment names.
  func store(_ access: StoreAccess) throws -> any PermissionStore {
    if let givenStore { return givenStore }
    let path = try storePath()
    if access != .change, !Self.isThere(path) {
      // Looking makes no files. A store that is named must be there; otherwise nothing is decided yet.
      guard storeOption == nil else { throw CommandError("there is no file '\(path)'") }
      if access == .read { return MemoryStore(environment: world) }
    }
    return try SQLiteStore(path: path, environment: world)
  }

  /// Whether anything stands at a path, if only a link to nothing.
  private static func isThere(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 || errno != ENOENT
  }
}

// MARK: The machine

extension CommandContext {
  /// What this machine has of every capability, by name.
  func availabilities() -> [String: Availability] {
    AsyncBridge.wait { await catalogue.availabilities(in: probes) }
  }

  /// Whether this machine has what a requirement is about.
  func availability(of reference: CapabilityReference) -> Availability {
    guard let capability = catalogue[reference.capability] else { return .available(found: "") }
    return AsyncBridge.wait { await capability.availability(for: reference.atoms, in: probes) }
  }

  /// What the machine's owner forbids.
  func policy() -> MachinePolicy { givenPolicy ?? MachinePolicy.read(probes, in: catalogue).policy }

  /// What is wrong in the file that says so.
  func policyProblems() -> [ConfigurationProblem] {
    givenPolicy == nil ? MachinePolicy.read(probes, in: catalogue).problems : []
  }
}

extension CommandContext {
  /// Where the broker of the named store is.
  func brokerPlace() throws(CommandError) -> BrokerPlace {
    try BrokerPlace(option: storeOption, environment: environment)
  }

  /// What a broker on this context's store works with.
  func brokerConfiguration(_ store: any PermissionStore) -> Broker.Configuration {
    Broker.Configuration(store: store, catalogue: catalogue, probes: probes, policy: policy())
  }

  /// A connection to the broker for persons; `nil` if none is running.
  ///
  /// - Throws: ``CommandError`` if there is one that cannot be used, or that must be there and is not.
  func broker() throws -> BrokerConnection? {
    guard !hasGivenStore else { return nil }
    let place = try brokerPlace()
    do throws(BrokerSocketError) {
      return try BrokerConnection(to: .control, among: place.addresses)
    } catch .nobodyListens where !place.isElsewhere {
      return nil
    } catch {
      throw CommandError("\(error)")
    }
  }

  /// Where permissions are changed: through the broker that runs, else in the store itself.
  func control(_ access: StoreAccess = .change) throws -> any PermissionControl {
    if let broker = try broker() { return broker }
    return StoreControl(try store(access), catalogue: catalogue, policy: policy())
  }
}

extension CapabilityCatalogue {
  /// Reads what a person calls a capability, where the bare name means all of it.
  func parseWhole(_ text: String) throws(CapabilityReferenceError) -> CapabilityReference {
    if let definition = self[text]?.definition {
      return CapabilityReference(capability: text, atoms: Set(definition.atoms))
    }
    return try parse(text)
  }

  /// How a command writes a requirement, for example `photos:read`.
  func words(_ reference: CapabilityReference) -> String {
    self[reference.capability]?.definition.reference(for: reference.atoms) ?? reference.capability
  }
}
