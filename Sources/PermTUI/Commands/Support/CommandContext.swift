import Machine
import PermBroker
import PermModel

/// Everything on which a command depends. Because all of it can be replaced, a command can run in a test as
/// it does in a shell.
struct CommandContext: Sendable {
  var console: Console
  var environment: [String: String]
  /// The clocks, the source of new ids, and the checks of whether sessions and processes still exist.
  var world: StoreEnvironment
  /// The capabilities in the person's configuration, and the paths that the probes examine.
  var configuration: UserConfiguration
  /// The path that `--store` names; `nil` without this option.
  var storeOption: String?
  /// The policy that tests use instead of the machine's policy.
  var givenPolicy: MachinePolicy?
  /// The settings of the screen that tests use instead of those in the person's configuration.
  var givenSettings: DashboardSettings?
  /// The store that tests use instead of a file. No broker serves it.
  var givenStore: (any PermissionStore)?

  /// Returns the context of this process: its standard streams, its environment variables, and the machine on
  /// which it runs.
  static func process(storeOption: String?, noColor: Bool = false) -> CommandContext {
    let environment = Environment.variables
    let configuration = UserConfiguration.read(.current)
    var world = StoreEnvironment.linux(sessionFolder: environment["XDG_RUNTIME_DIR"].map { $0 + "/permtui" })
    if !configuration.capabilities.isEmpty {
      world.definition = { [catalogue = configuration.catalogue] in catalogue[$0]?.definition }
    }
    return CommandContext(
      console: .standard(environment: environment, noColor: noColor), environment: environment,
      world: world, configuration: configuration, storeOption: storeOption)
  }

  var catalogue: CapabilityCatalogue { configuration.catalogue }

  /// The paths that the probes of this machine examine.
  var probes: ProbeEnvironment { configuration.environment }

  /// The current time on the clock that also determines when decisions end.
  var now: Timestamp { world.now().wall }
}

// MARK: The store

/// The purpose for which a command opens the store.
enum StoreAccess: Sendable {
  /// To read: a missing store is not created, and a store that `--store` names must exist.
  case read
  /// To ask: a missing store is created, but a store that `--store` names must exist.
  case ask
  case change
}

extension CommandContext {
  /// Returns the absolute path of the store. The option `--store` takes precedence over the environment variables.
  ///
  /// - Throws: ``CommandError`` if the option is empty, or if the home folder is needed but unknown.
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

  /// Opens the store at ``storePath()``.
  func store(_ access: StoreAccess) throws -> any PermissionStore {
    if let givenStore { return givenStore }
    let path = try storePath()
    if access != .change, !Self.isThere(path) {
      // A store that the option names must exist. If any other store is missing, nothing has been decided
      // yet: reading then uses an empty store and creates no file.
      guard storeOption == nil else { throw CommandError("there is no file '\(path)'") }
      if access == .read { return MemoryStore(environment: world) }
    }
    return try SQLiteStore(path: path, environment: world)
  }

  /// Whether anything exists at a path, even a dangling symbolic link. If that cannot be determined, returns
  /// `true`, so that opening the store reports the error.
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
  /// Returns the availability of every capability on this machine, keyed by the capability's name.
  func availabilities() -> [String: Availability] {
    AsyncBridge.wait { await catalogue.availabilities(in: probes) }
  }

  /// Returns the availability of everything that a requirement names on this machine.
  func availability(of reference: CapabilityReference) -> Availability {
    guard let capability = catalogue[reference.capability] else { return .available(found: "") }
    return AsyncBridge.wait { await capability.availability(for: reference.atoms, in: probes) }
  }

  /// Returns the restrictions that the machine's owner has set, and the mistakes in the policy file.
  func readPolicy() -> (policy: MachinePolicy, problems: [ConfigurationProblem]) {
    givenPolicy.map { ($0, []) } ?? MachinePolicy.read(probes, in: catalogue)
  }

  /// Returns all mistakes in the person's configuration and in the policy.
  func configurationProblems() -> [ConfigurationProblem] {
    let settings = givenSettings ?? DashboardSettings(probes)
    return configuration.problems.joined(with: settings.problems) + readPolicy().problems
  }
}

// MARK: The broker

extension CommandContext {
  /// Returns the place of the broker, which normally follows from the store's path. Without `--store`, an environment
  /// variable can instead name the folder of the broker's sockets.
  func brokerPlace() throws(CommandError) -> BrokerLocation {
    if storeOption == nil, let place = BrokerLocation(socketsNamedIn: environment) { return place }
    return BrokerLocation(store: try storePath(), environment: environment)
  }

  /// Returns the configuration of a broker that serves `store` with this context's capabilities, probes and policy.
  func brokerConfiguration(_ store: any PermissionStore) -> Broker.Configuration {
    var made = Broker.Configuration(
      store: store, catalogue: catalogue, probes: probes, policy: readPolicy().policy)
    made.settings.notification = configuration.notification
    return made
  }

  /// Connects to the broker's interface for people. Returns `nil` if no broker is running, but the store can be opened
  /// directly. To read, that is also done if the broker does not reply.
  ///
  /// - Throws: ``CommandError`` if the running broker cannot be used, or if no broker is running and the store cannot
  ///   be opened directly.
  func broker(_ access: StoreAccess = .change) throws -> BrokerConnection? {
    guard givenStore == nil else { return nil }
    let place = try brokerPlace()
    do throws(BrokerSocketError) {
      let broker = try BrokerConnection(to: .control, among: place.addresses) { [console] silence in
        console.note("permtui: \(silence)")
      }
      return access != .read || place.isElsewhere || replies(broker) ? broker : nil
    } catch .nobodyListens where !place.isElsewhere {
      return nil
    } catch {
      throw CommandError("\(error)")
    }
  }

  /// Whether the broker replies. If it does not, says that the store is read in its place.
  private func replies(_ broker: BrokerConnection) -> Bool {
    // A broker that replies with an error replies.
    guard let replies = try? broker.replies(), !replies else { return true }
    console.note("permtui: \(broker.silence); this is what the store says")
    return false
  }

  /// Returns a copy with the capabilities that count for the running broker. If the configuration has a mistake, the
  /// broker keeps the capabilities that counted before. Returns `nil` if no broker is running, or if it has the same.
  func withCapabilitiesOfBroker() -> CommandContext? {
    guard let broker = try? self.broker(.read), let own = try? broker.ownCapabilities(),
      Set(own.map(\.definition)) != Set(configuration.capabilities.map(\.definition))
    else { return nil }
    var copy = self
    copy.configuration.capabilities = own
    copy.world.definition = { [catalogue = copy.catalogue] in catalogue[$0]?.definition }
    return copy
  }

  /// Returns the means to read and change permissions: the running broker or, if there is none, the store itself.
  func control(_ access: StoreAccess = .change) throws -> any PermissionControl {
    if let broker = try broker(access) { return broker }
    return StoreControl(try store(access), catalogue: catalogue, policy: readPolicy().policy)
  }
}

extension CapabilityCatalogue {
  /// Parses a capability as a person types it. A name without parts means all parts of the capability.
  func parseWhole(_ text: String) throws(CapabilityReferenceError) -> CapabilityReference {
    if let definition = self[text]?.definition {
      return CapabilityReference(capability: text, atoms: Set(definition.atoms))
    }
    return try parse(text)
  }

  /// Returns an atom as commands accept it. All values of a part that takes values are written as `*`.
  func text(_ atom: Atom) -> String {
    self[atom.capability]?.definition.reference(for: [atom]) ?? atom.description
  }

  /// Returns an atom as people see it. It can be typed, too, but programs get ``text(_:)``.
  func shown(_ atom: Atom) -> String {
    if atom == .everything { return Atom.wordForEverything }
    return self[atom.capability]?.definition.shownReference(for: [atom]) ?? atom.description
  }

  /// Returns references that together name a requirement.
  ///
  /// - Parameter isShown: Whether the references are as people see them.
  func texts(_ reference: CapabilityReference, isShown: Bool = false) -> [String] {
    self[reference.capability]?.definition.references(for: reference.atoms, isShown: isShown)
      ?? [reference.capability]
  }

  /// Returns a requirement as people see it, for example `photos:read`.
  func shown(_ reference: CapabilityReference) -> String {
    self[reference.capability]?.definition.shownReference(for: reference.atoms) ?? reference.capability
  }
}
