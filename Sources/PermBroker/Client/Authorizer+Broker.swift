import Machine
public import PermModel

extension Authorizer {
  /// An authorizer whose requests appear on the user's dashboard: in the process of the broker, wherever it runs, and
  /// in the store while there is no broker.
  ///
  ///     Authorizer.default = .throughBroker()
  ///
  /// The broker determines for itself which program is asking, so an authorizer that acts for another subject still
  /// asks for this program, under the other's label. The user's settings and the machine's policy apply as usual.
  ///
  /// - Parameters:
  ///   - label: The program's name for itself; the name of its file unless given.
  ///   - store: The path of the store; the one that `permtui` uses unless given.
  public static func throughBroker(as label: String? = nil, store: String? = nil) -> Authorizer {
    throughBroker(as: label, store: store, probes: nil)
  }

  package static func throughBroker(
    as label: String?, store: String?, probes: ProbeEnvironment?, evidence: Evidence? = nil
  ) -> Authorizer {
    let variables = Environment.variables
    let probes = probes ?? UserConfiguration.read(.current).environment
    let world = StoreEnvironment.linux(sessionFolder: variables["XDG_RUNTIME_DIR"].map { $0 + "/permtui" })
    let elsewhere = store == nil ? BrokerPlace(socketsNamedIn: variables) : nil
    // If the broker is elsewhere, there is no store here.
    let path =
      elsewhere == nil ? store.map(StoreLocation.absolute) ?? StoreLocation.path(environment: variables) : nil
    let place = elsewhere ?? path.map { BrokerPlace(store: $0, environment: variables) }
    let policy = MachinePolicy.read(probes).policy
    let open: @Sendable () throws -> any PermissionStore = {
      guard let path else { throw BrokerSocketError.nobodyListens }
      return try SQLiteStore(path: path, environment: world)
    }
    let local = StoreWithoutBroker(
      environment: world, probes: probes, policy: policy, make: path == nil ? nil : open)
    let desk = BrokerDesk(addresses: place?.addresses ?? [], store: local)
    // This program asks for itself, so its own file does not count as a command that asks for others.
    let processes = LinuxProcessTable(client: nil)
    let seen = ProgramFinder(processes: processes).program(behind: ProcessHandle.own)
    var authorizer = Authorizer(
      subject: seen?.subject(label: label) ?? Subject(label: label ?? "unknown"), desk: desk,
      environment: probes, policy: policy)
    authorizer.evidence = evidence ?? seen?.evidence
    return authorizer
  }
}
