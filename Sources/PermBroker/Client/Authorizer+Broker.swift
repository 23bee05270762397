import Machine
public import PermModel

extension Authorizer {
  /// Returns an authorizer whose requests appear on the user's dashboard. The requests go to the running broker,
  /// whichever process it runs in. If no broker is running, the requests wait in the store.
  ///
  ///     Authorizer.default = .throughBroker()
  ///
  /// The broker itself determines which program is asking. An authorizer for another subject therefore still asks on
  /// behalf of this program, under the other subject's label. The user's settings and the machine's policy apply as
  /// usual.
  ///
  /// - Parameters:
  ///   - label: The name that the program gives itself; by default the name of its file.
  ///   - store: The path of the store; by default the store that `permtui` uses.
  public static func throughBroker(as label: String? = nil, store: String? = nil) -> Authorizer {
    throughBroker(as: label, store: store, probes: nil)
  }

  package static func throughBroker(
    as label: String?, store: String?, probes: ProbeEnvironment?, evidence: Evidence? = nil
  ) -> Authorizer {
    let variables = Environment.variables
    let probes = probes ?? UserConfiguration.read(.current).environment
    let world = StoreEnvironment.linux(sessionFolder: variables["XDG_RUNTIME_DIR"].map { $0 + "/permtui" })
    let elsewhere = store == nil ? BrokerLocation(socketsNamedIn: variables) : nil
    // The store of a broker outside this machine or sandbox cannot be opened from this process.
    let path =
      elsewhere == nil ? store.map(StoreLocation.absolute) ?? StoreLocation.path(environment: variables) : nil
    let place = elsewhere ?? path.map { BrokerLocation(store: $0, environment: variables) }
    let policy = MachinePolicy.read(probes).policy
    let open: @Sendable () throws -> any PermissionStore = {
      guard let path else { throw BrokerSocketError.nobodyListens }
      return try SQLiteStore(path: path, environment: world)
    }
    let local = OfflineStore(
      environment: world, probes: probes, policy: policy, make: path == nil ? nil : open)
    let answerer = BrokerAnswerer(addresses: place?.addresses ?? [], store: local)
    // This program asks for itself, so it must not be mistaken for the `permtui` command, which asks for others.
    let processes = LinuxProcessTable(client: nil)
    let seen = ProgramFinder(processes: processes).program(behind: ProcessHandle.own)
    var authorizer = Authorizer(
      subject: seen?.subject(label: label) ?? Subject(label: label ?? "unknown"), answerer: answerer,
      environment: probes, policy: policy)
    authorizer.evidence = evidence ?? seen?.evidence
    return authorizer
  }
}
