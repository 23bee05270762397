import Machine
import PermBroker
import PermModel

/// The source of the dashboard's data. It gathers the data from the store, the catalogue and the modal slot,
/// and sends them to the event loop whenever something has changed. It reads the data that the open view
/// needs, and follows changes through the journal.
actor DashboardFeed {
  private let services: DashboardServices
  private let send: @Sendable (Action) -> Void

  private var reading: StoreSnapshot
  private var listed: ListedDecisions?
  private var needs = StoreNeeds()
  /// The task that is reading the decisions that ``needs`` names; `nil` if no task is reading.
  private var listing: Task<Void, Never>?
  /// The changes that arrived while the task ``listing`` was reading.
  private var missed: [JournalEntry] = []
  /// The day that ``needs`` names, as far as it was read.
  private var day: DayReading?
  /// The long parts that are being read.
  private var readings: [LongPart: LongReading] = [:]
  /// The newest rows of the journal.
  private var newest: [JournalRow] = []
  /// The search in the journal for which ``needs`` asks.
  private var search: JournalSearch?
  private var data: DashboardData
  private var availabilities: [String: Availability] = [:]
  private var alerts: [Alert] = []
  /// Whether this dashboard is attached to a broker in another process, and therefore shows that broker's alerts too.
  private var isBesideAnother = false
  /// The time at which each alert in line was first seen.
  private var seenAt: [Alert.ID: Timestamp] = [:]

  /// Creates a feed. `send` receives changes and must not wait. `data` is the data of the first frame, if it has already
  /// been made from `reading`.
  init(
    _ services: DashboardServices, reading: StoreSnapshot, data: DashboardData? = nil,
    send: @escaping @Sendable (Action) -> Void
  ) {
    self.services = services
    self.reading = reading
    self.send = send
    self.data = data ?? DashboardData(reading, services)
  }

  deinit {
    listing?.cancel()
    for reading in readings.values { reading.task.cancel() }
  }

  /// Reads everything on the screen again.
  func reload() {
    look {
      reading = try StoreSnapshot(services.store)
      try readJournal()
      list(needs.decisions)
      LongPart.allCases.forEach(read)
    }
  }

  func take(_ needs: StoreNeeds) {
    let old = self.needs
    self.needs = needs
    look {
      if needs.journal != old.journal { try readJournal() }
      if needs.decisions != old.decisions { list(needs.decisions) }
      if needs.day != old.day { open(.day) }
      if needs.commands != old.commands { open(.commands) }
      if needs.search != old.search { open(.search) }
    }
  }

  func take(_ change: StoreChange) {
    look {
      reading = try StoreSnapshot(services.store, after: (reading, change.entries))
      if needs.journal > 0 { try readJournal() }
      // So much has come since the search began that it would miss some of it.
      if let begin = search?.begin, let last = newest.last, last.id > begin { open(.search) }
      LongPart.allCases.forEach(read)
      if change.entries.count > ListedDecisions.fewChanges {
        list(needs.decisions)
      } else {
        listed?.apply(change.entries)
        if listing != nil { missed += change.entries }
      }
    }
    let news = change.entries.compactMap(DecisionNews.init)
    if !news.isEmpty { send(.noticed(news)) }
    for entry in change.entries where entry.kind == .withdrawn && entry.text == RequestEnd.answeredInAgent {
      if let id = entry.request { send(.answeredInAgent(Alert.ID(id.text))) }
    }
    for entry in change.entries {
      if let other = AnswerElsewhere(entry, dashboardID: services.dashboardID) {
        send(.answeredElsewhere(other))
      }
    }
    let kept = DecisionResult(change.entries.filter { $0.origin == services.origin })
    if kept.takenBack > 0 { send(.tookBack(kept)) }
    for attempt in change.entries.compactMap(Report.init(refused:)) { send(.reported(attempt)) }
  }

  func take(_ availabilities: [String: Availability]) {
    guard availabilities != self.availabilities else { return }
    self.availabilities = availabilities
    data.isProbed = true
    publish()
  }

  /// - Parameter alerts: The alerts that wait in this process, in order.
  func take(_ alerts: [Alert]) {
    guard alerts != self.alerts else { return }
    self.alerts = alerts
    publish()
  }

  func take(_ state: BrokerLink.State) {
    guard state.words != data.connection else { return }
    if state != .lost { isBesideAnother = state == .attached }
    data.connection = state.words
    publish()
  }

  func take(_ shortage: InotifyInstance.Shortage?) {
    guard data.isLate != (shortage != nil) else { return }
    data.isLate = shortage != nil
    publish()
  }

  /// If the open view shows the operations, sends their present state.
  func takeOperations() {
    guard needs.operations else { return }
    publish()
  }
}

// MARK: - Reading

extension DashboardFeed {
  /// Calls `read`, and then sends all data. If `read` throws, reports the error instead.
  private func look(_ read: () throws -> Void) {
    do {
      try read()
      data.take(reading, listed)
      lookForWriters()
      publish()
    } catch {
      send(.reported(Report(of: error)))
    }
  }

  /// The greatest number of folders for which the programs are looked up that may write there.
  private static let mostFolders = 200

  /// Looks up which programs may write in the folders of the agents that are listed.
  private func lookForWriters() {
    var folders: [String: ProgramFolder] = [:]
    func note(_ subject: Subject) {
      if let folder = subject.folder, folders.count < Self.mostFolders { folders[folder.path] = folder }
    }
    for row in data.decisions where row.capability == "commands" { note(row.subject) }
    for row in data.commands?.rows ?? [] { note(row.subject) }
    data.writers = folders.compactMapValues { services.store.writer(in: $0) }
  }

  private func readJournal() throws(StoreError) {
    newest = needs.journal > 0 ? try services.store.journal(.all, .newest(needs.journal)).map(row) : []
    joinJournal()
  }

  /// Lists the newest rows, and then the older ones that were found.
  private func joinJournal() {
    let oldest = newest.last?.id ?? 0
    data.journal = newest + (search?.found ?? []).filter { $0.id < oldest }
    data.search = search?.progress
  }

  private nonisolated var row: @Sendable (JournalEntry) -> JournalRow {
    { [services] in JournalRow($0, catalogue: services.catalogue, own: services.origin) }
  }

  /// Reads the decisions of a scope in a separate task, because there might be very many of them.
  private func list(_ scope: DecisionScope) {
    listing?.cancel()
    listing = nil
    missed = []
    if scope == .first {
      listed = nil
      return
    }
    listing = Task.quiet { [weak self, store = services.store] in
      do {
        let read = try await ListedDecisions(scope, in: store)
        await self?.take(read)
      } catch is CancellationError {
      } catch {
        self?.send(.reported(Report(of: error)))
      }
    }
  }

  private func take(_ read: ListedDecisions) {
    guard read.scope == needs.decisions, listing != nil else { return }
    var read = read
    read.apply(missed)
    listed = read
    listing = nil
    missed = []
    data.take(reading, listed)
    lookForWriters()
    publish()
  }
}

// MARK: - Long parts

/// A part of the data that is read in a task beside the screen, because it might be long.
private enum LongPart: CaseIterable {
  case day, commands, search
}

private struct LongReading {
  let task: Task<Void, Never>
  /// Whether something has changed since the task began.
  var isOld = false
}

extension DashboardFeed {
  /// Begins with what the open view lists of a part, which might be nothing.
  private func open(_ part: LongPart) {
    readings.removeValue(forKey: part)?.task.cancel()
    switch part {
    case .day: (data.day, day) = (nil, needs.day.map { DayReading($0) })
    case .commands: data.commands = nil
    case .search:
      search = needs.search.isEmpty ? nil : JournalSearch(needs.search)
      joinJournal()
    }
    read(part)
  }

  /// Whether a part was read only as far as it is shown meanwhile.
  private func goesOn(_ part: LongPart) -> Bool {
    switch part {
    case .day: day?.isWhole == false
    case .commands: false
    case .search: search?.goesOn == true
    }
  }

  /// Reads a part if the open view lists it. A change meanwhile has it read once more.
  private func read(_ part: LongPart) {
    if readings[part] != nil {
      readings[part]?.isOld = true
      return
    }
    switch part {
    case .day:
      guard let day else { return }
      read(part, day.read) { feed, read in (feed.data.day, feed.day) = read }
    case .commands:
      guard needs.commands else { return }
      read(part, CommandsPage.read) { feed, read in
        feed.data.commands = read
        feed.lookForWriters()
      }
    case .search:
      guard let search, search.goesOn else { return }
      read(part, { [row] in try await search.read($0, row) }) { feed, read in
        feed.search = read
        feed.joinJournal()
      }
    }
  }

  private func read<Read: Sendable>(
    _ part: LongPart, _ read: @escaping @Sendable (any PermissionStore) async throws -> Read,
    _ take: @escaping @Sendable (isolated DashboardFeed, Read) -> Void
  ) {
    readings[part] = LongReading(
      task: Task.quiet { [weak self, store = services.store] in
        do {
          let read = try await read(store)
          await self?.end(part) { take($0, read) }
        } catch is CancellationError {
        } catch {
          await self?.fail(part, with: error)
        }
      })
  }

  private func fail(_ part: LongPart, with error: any Error) {
    guard !Task.isCancelled, readings.removeValue(forKey: part) != nil else { return }
    send(.reported(Report(of: error)))
  }

  private func end(_ part: LongPart, _ take: @Sendable (isolated DashboardFeed) -> Void) {
    guard !Task.isCancelled, let reading = readings.removeValue(forKey: part) else { return }
    take(self)
    publish()
    if reading.isOld || goesOn(part) { read(part) }
  }
}

// MARK: - Reporting

extension DashboardFeed {
  private func publish() {
    data.setCapabilities(services.catalogue, availabilities, lastAsked: reading.lastAsked)
    data.waiting = waiting
    data.operations =
      needs.operations ? OperationRow.rows(of: services.queue.exclusion.snapshot(), at: now) : []
    send(.changed(data))
  }

  private var now: Timestamp { services.store.environment.now().wall }

  /// The alerts of this process in their order, then the requests that only the store knows.
  private var waiting: [WaitingRow] {
    let now = now
    let shown = Set(alerts.map(\.id))
    seenAt = seenAt.filter { shown.contains($0.key) }
    for alert in alerts where seenAt[alert.id] == nil { seenAt[alert.id] = now }
    let aside = Set(reading.waiting.filter { $0.setAsideAt != nil }.map { Alert.ID($0.id.text) })
    let here = alerts.map { item($0, at: seenAt[$0.id] ?? now, isSetAside: aside.contains($0.id)) }
    let others = reading.waiting.filter { !shown.contains(Alert.ID($0.id.text)) }
    return here + others.map { WaitingRow($0, reading, isElsewhere: isBesideAnother) }
  }

  /// Returns the item of an alert in line. Such an alert does not include an identity check of its program yet, so the
  /// item uses the check from the store.
  private func item(_ alert: Alert, at moment: Timestamp, isSetAside: Bool) -> WaitingRow {
    var item = WaitingRow(alert, at: moment)
    item.isSetAside = isSetAside
    if let request = item.request, let identity = reading.identities[request.subject] { item.note(identity) }
    return item
  }
}

extension DashboardData {
  /// Creates the data of the first frame, before probes and tasks have reported anything.
  init(_ reading: StoreSnapshot, _ services: DashboardServices) {
    connection = services.connection
    policy = services.authorizer.policy
    protected = { [environment = services.store.environment] in environment.protected }
    take(reading, nil)
    setCapabilities(services.catalogue, [:], lastAsked: reading.lastAsked)
    waiting = reading.waiting.map { WaitingRow($0, reading, isElsewhere: false) }
  }

  fileprivate mutating func take(_ reading: StoreSnapshot, _ listed: ListedDecisions?) {
    let scope = listed?.scope ?? .first
    setDecisions(
      DecisionRow.rows(of: reading.decisions(beside: scope) + (listed?.decisions ?? [])), in: scope,
      counts: reading.counts, nextEnd: reading.overview.nextEnd)
    panicSince = reading.overview.suspension?.since
    isLoaded = true
  }

  fileprivate mutating func setCapabilities(
    _ catalogue: CapabilityCatalogue, _ availabilities: [String: Availability],
    lastAsked: [String: Timestamp]
  ) {
    let known = capabilities
    capabilities = catalogue.capabilities.enumerated().map { place, descriptor in
      let name = descriptor.definition.name
      // To make a row takes a hundred times as long as to see that it stays as it is.
      guard known.indices.contains(place), known[place].definition == descriptor.definition else {
        return CapabilityRow(descriptor, availabilities[name], lastAsked: lastAsked[name])
      }
      return known[place].with(availabilities[name], lastAsked: lastAsked[name])
    }
  }
}

extension WaitingRow {
  /// Creates the item of a request that waits in the store.
  fileprivate init(_ waiting: StoredRequest, _ reading: StoreSnapshot, isElsewhere: Bool) {
    let request = waiting.request
    self.init(
      id: Alert.ID(request.id.text), request: request, askedAt: request.askedAt,
      isElsewhere: isElsewhere, isSetAside: waiting.setAsideAt != nil, terminal: waiting.terminal)
    if let identity = reading.identities[request.subject] { note(identity) }
  }
}
