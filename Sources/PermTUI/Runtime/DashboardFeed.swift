import PermModel

/// Gathers what the dashboard shows from store, catalogue and modal slot, and sends it to the loop whenever some of
/// it has changed.
actor DashboardFeed {
  private let store: any PermissionStore
  private let catalogue: CapabilityCatalogue
  private let send: @Sendable (Action) -> Void
  private let operations: @Sendable () -> [OperationRow]

  private var reading: StoreReading
  private var data = DashboardData()
  private var availabilities: [String: PermModel.Availability] = [:]
  private var alerts: [Alert] = []
  /// When an alert that is no request was first seen.
  private var seenAt: [Alert.ID: Timestamp] = [:]

  /// - Parameters:
  ///   - operations: What holds and waits for exclusion categories now.
  ///   - send: Where changes go. Must not wait.
  init(
    _ services: DashboardServices, reading: StoreReading,
    operations: @escaping @Sendable () -> [OperationRow], send: @escaping @Sendable (Action) -> Void
  ) {
    store = services.store
    catalogue = services.catalogue
    self.reading = reading
    self.operations = operations
    self.send = send
    data.connection = services.connection
    data.take(reading, catalogue: services.catalogue)
  }

  /// Reads the store, and sends all that is known.
  func reload() {
    do {
      reading = try StoreReading(store, catalogue: catalogue)
      data.take(reading, catalogue: catalogue)
      publish()
    } catch {
      send(.reported(Report(text: "\(error)", isError: true)))
    }
  }

  /// Takes what the probes found.
  func take(_ availabilities: [String: PermModel.Availability]) {
    guard availabilities != self.availabilities else { return }
    self.availabilities = availabilities
    data.isProbed = true
    publish()
  }

  /// Takes the alerts that wait in this process, in their order.
  func take(_ alerts: [Alert]) {
    guard alerts != self.alerts else { return }
    self.alerts = alerts
    publish()
  }

  /// Takes how this dashboard can be reached.
  func take(connection: String) {
    guard connection != data.connection else { return }
    data.connection = connection
    publish()
  }

  private func publish() {
    data.setCapabilities(catalogue, availabilities, lastAsked: reading.lastAsked)
    data.waiting = waiting
    data.operations = operations()
    send(.changed(data))
  }

  /// The alerts of this process in their order, then what only the store knows of.
  private var waiting: [WaitingItem] {
    let now = store.environment.now().wall
    let shown = Set(alerts.map(\.id))
    seenAt = seenAt.filter { shown.contains($0.key) }
    for alert in alerts where seenAt[alert.id] == nil { seenAt[alert.id] = now }
    let here = alerts.map { WaitingItem($0, at: seenAt[$0.id] ?? now) }
    return here + reading.waiting.map(WaitingItem.init).filter { !shown.contains($0.id) }
  }
}

extension DashboardData {
  /// What the screen shows first, before probes and tasks have said anything.
  init(_ reading: StoreReading, _ services: DashboardServices) {
    connection = services.connection
    take(reading, catalogue: services.catalogue)
    setCapabilities(services.catalogue, [:], lastAsked: reading.lastAsked)
    waiting = reading.waiting.map(WaitingItem.init)
  }

  fileprivate mutating func take(_ reading: StoreReading, catalogue: CapabilityCatalogue) {
    setDecisions(reading.decisions)
    journal = reading.journal
    undoable = reading.undoable
    panicSince = reading.panicSince
    isLoaded = true
  }

  fileprivate mutating func setCapabilities(
    _ catalogue: CapabilityCatalogue, _ availabilities: [String: PermModel.Availability],
    lastAsked: [String: Timestamp]
  ) {
    capabilities = catalogue.capabilities.map { descriptor in
      let name = descriptor.definition.name
      return CapabilityRow(descriptor, availabilities[name], lastAsked: lastAsked[name])
    }
  }
}

extension WaitingItem {
  /// A request that waits somewhere.
  init(_ request: Request) {
    self.init(
      id: Alert.ID(request.id.text), summary: "\(request.capability) for \(request.subject.label)",
      request: request, askedAt: request.askedAt)
  }
}

extension DecisionChange {
  /// What was changed, in a few words: `denied camera for video-chat`. Holds foreign text.
  var words: String {
    guard let entry = entries.first else { return "nothing" }
    let what = entry.capability.map { $0 == "*" ? "everything" : $0 } ?? "something"
    let verb =
      switch entry.kind {
      case .forgotten: "forgot"
      case .imported: "imported"
      default: entry.verdict == .allow ? "allowed" : "denied"
      }
    let more = Set(entries.map { [$0.subject?.label, $0.capability] }).count - 1
    let others = more > 0 ? " and \(more) more" : ""
    return "\(verb) \(what) for \(entry.subject?.label ?? "a program")\(others)"
  }
}
