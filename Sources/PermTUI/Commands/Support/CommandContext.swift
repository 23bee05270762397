import Machine
import PermBroker
import PermModel

/// Everything a command works with, so that it can run in a test as it does in a shell.
struct CommandContext: Sendable {
  var console: Console
  var environment: [String: String]
  /// The clocks, the ids, and the checks whether sessions and processes still live.
  var world: StoreEnvironment
  /// This person's capabilities, and the paths that the probes examine.
  var configuration: UserConfiguration
  /// The path that `--store` names.
  var storeOption: String?
  /// Replaces the machine's policy, for tests.
  var givenPolicy: MachinePolicy?
  /// Replaces the file, for tests. No broker serves it.
  var givenStore: (any PermissionStore)?

  /// Returns the context of this process, with its own streams and the machine that it runs on.
  static func process(storeOption: String?, noColor: Bool = false) -> CommandContext {
    let environment = Environment.variables
    return CommandContext(
      console: .standard(environment: environment, noColor: noColor), environment: environment,
      world: .linux(sessionFolder: environment["XDG_RUNTIME_DIR"].map { $0 + "/permtui" }),
      configuration: .read(.current), storeOption: storeOption)
  }

  var catalogue: CapabilityCatalogue { configuration.catalogue }

  /// The paths that the probes of this machine examine.
  var probes: ProbeEnvironment { configuration.environment }

  /// The present moment, by the clock used to judge decisions.
  var now: Timestamp { world.now().wall }
}

// MARK: The store

/// The purpose for which a command opens the store.
enum StoreAccess: Sendable {
  /// A missing store is not created.
  case read
  /// A store named by an option must exist.
  case ask
  case change
}

extension CommandContext {
  /// Returns the absolute path of the store; the option takes precedence over the environment.
  ///
  /// - Throws: ``CommandError`` if the home folder is unknown.
  func storePath() throws(CommandError) -> String {
    if let storeOption {
      guard !storeOption.isEmpty else { throw .usage("--store needs the path of a file") }
      return StoreLocation.absolute(storeOption)
    }
    guard let path = StoreLocation.path(environment: environment) else {
      throw CommandError(
        "cannot tell where to keep permissions: HOME is not set",
        advice: ["set HOME, or name a file with --store or \(StoreLocation.variable)"])
    }
    return path
  }

  /// Opens the store that the option or the environment names.
  func store(_ access: StoreAccess) throws -> any PermissionStore {
    if let givenStore { return givenStore }
    let path = try storePath()
    if access != .change, !Self.isThere(path) {
      // Reading creates no files. A store named by an option must exist; otherwise nothing has been decided yet.
      guard storeOption == nil else { throw CommandError("there is no file '\(path)'") }
      if access == .read { return MemoryStore(environment: world) }
    }
    return try SQLiteStore(path: path, environment: world)
  }

  /// Whether anything is at a path, even a dangling link.
  private static func isThere(_ path: String) -> Bool {
    do {
      return try FileStatus.find(path) != nil
    } catch {
      return true
    }
  }
}

// MARK: The machine

extension CommandContext {
  /// Returns the availability of every capability on this machine, by name.
  func availabilities() -> [String: Availability] {
    AsyncBridge.wait { await catalogue.availabilities(in: probes) }
  }

  /// Returns the availability, on this machine, of everything that a requirement names.
  func availability(of reference: CapabilityReference) -> Availability {
    guard let capability = catalogue[reference.capability] else { return .available(found: "") }
    return AsyncBridge.wait { await capability.availability(for: reference.atoms, in: probes) }
  }

  /// Returns the restrictions set by the machine's owner, and the mistakes in their file.
  func readPolicy() -> (policy: MachinePolicy, problems: [ConfigurationProblem]) {
    givenPolicy.map { ($0, []) } ?? MachinePolicy.read(probes, in: catalogue)
  }

  /// Returns the mistakes in the person's configuration and in the policy.
  func configurationProblems() -> [ConfigurationProblem] { configuration.problems + readPolicy().problems }
}

// MARK: The broker

extension CommandContext {
  /// Returns the place of the named store's broker, unless the environment names its sockets.
  func brokerPlace() throws(CommandError) -> BrokerPlace {
    if storeOption == nil, let place = BrokerPlace(socketsNamedIn: environment) { return place }
    return BrokerPlace(store: try storePath(), environment: environment)
  }

  /// Returns the configuration of a broker on this context's store.
  func brokerConfiguration(_ store: any PermissionStore) -> Broker.Configuration {
    Broker.Configuration(store: store, catalogue: catalogue, probes: probes, policy: readPolicy().policy)
  }

  /// Connects to the broker's interface for people; `nil` if no broker is running.
  ///
  /// - Throws: ``CommandError`` if a broker cannot be used, or if one is required and missing.
  func broker() throws -> BrokerConnection? {
    guard givenStore == nil else { return nil }
    let place = try brokerPlace()
    do throws(BrokerSocketError) {
      return try BrokerConnection(to: .control, among: place.addresses)
    } catch .nobodyListens where !place.isElsewhere {
      return nil
    } catch {
      throw CommandError("\(error)")
    }
  }

  /// Returns the means to change permissions: the running broker, otherwise the store itself.
  func control(_ access: StoreAccess = .change) throws -> any PermissionControl {
    if let broker = try broker() { return broker }
    return StoreControl(try store(access), catalogue: catalogue, policy: readPolicy().policy)
  }
}

extension CapabilityCatalogue {
  /// Reads a person's name for a capability; the bare name means all of it.
  func parseWhole(_ text: String) throws(CapabilityReferenceError) -> CapabilityReference {
    if let definition = self[text]?.definition {
      return CapabilityReference(capability: text, atoms: Set(definition.atoms))
    }
    return try parse(text)
  }

  /// Returns a requirement as commands write it, for example `photos:read`.
  func words(_ reference: CapabilityReference) -> String {
    self[reference.capability]?.definition.reference(for: reference.atoms) ?? reference.capability
  }
}
