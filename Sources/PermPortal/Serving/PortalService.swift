import Machine
import PermBroker
import PermModel

/// The backend of the portal's dialogues: it asks at the broker, answers the portal, and keeps what the portal stores for as
/// long as the person's answer holds. All of it runs on the thread that serves the bus.
final class PortalService {
  static let name = "org.freedesktop.impl.portal.desktop.permtui"
  static let portal = "org.freedesktop.portal.Desktop"
  static let path = "/org/freedesktop/portal/desktop"

  private let bus: Bus
  private let desktop: DesktopStore
  private let inbox: BusLoop<PortalEvent>.Inbox
  private let questioner: Questioner
  private let rulings: DecisionRulings
  private let file: LeaseFile
  private var dialogs = OpenDialogs()
  private var leases = LeaseBook()
  /// The leases as they were written last.
  private var written: [LeaseFile.Line] = []
  private var found: [PermissionRow: DecisionRulings.Found] = [:]
  /// The unique name of the portal, the only peer that may open dialogues; `nil` while there is none.
  private var owner: String?

  /// The reason why the service has to end.
  private(set) var failure: BusError?
  /// The moment at which the service ends at the latest, because it was told to.
  private var stopsAt: Int64?

  /// The longest time for which the end waits until what nobody has answered is taken back, in milliseconds.
  private static let longestEnd: Int64 = 2_000

  /// Whether the service has ended. What it takes back then is taken back.
  var isStopped: Bool { stopsAt.map { now >= $0 || !leases.isSettling(at: now) } ?? false }

  init(
    bus: Bus, inbox: BusLoop<PortalEvent>.Inbox, questioner: Questioner, rulings: DecisionRulings,
    file: LeaseFile
  ) {
    (self.bus, self.inbox, self.questioner) = (bus, inbox, questioner)
    (self.rulings, self.file) = (rulings, file)
    desktop = DesktopStore(bus: bus)
  }

  private var now: Int64 { SystemClock.monotonic.milliseconds }

  /// Begins to serve. The name is asked for last, because from then on dialogues arrive.
  func start(_ ready: @escaping () -> Void) throws(BusError) {
    try watchOwner()
    try desktop.watch { [weak self] change in self?.changed(change.table, change.id) }
    try bus.serve(Self.path) { [weak self] message in self?.handle(message) ?? false }
    for line in file.read() {
      leases.resume(line.row, value: line.value, at: now)
      look(at: line.row)
    }
    try bus.call(Bus.daemon, "/org/freedesktop/DBus", Bus.daemon, "GetNameOwner") {
      message throws(BusError) in
      try message.add(Self.portal)
    } reply: { [weak self] result in
      // Without a portal the reply is an error. Its start is a change of the owner.
      if case .success(let reply) = result { self?.owner = try? reply.text() }
      self?.takeName(ready)
    }
  }

  private func takeName(_ ready: @escaping () -> Void) {
    do throws(BusError) {
      try bus.request(name: Self.name) { [weak self] isTaken in
        if isTaken { return ready() }
        self?.failure = BusError(name: "", message: "another permtui-portal serves this session already")
      }
    } catch {
      failure = error
    }
  }

  private func watchOwner() throws(BusError) {
    let rule = "type='signal',sender='\(Bus.daemon)',member='NameOwnerChanged',arg0='\(Self.portal)'"
    try bus.watch(rule) { [weak self] message in
      // Every peer can send such a signal; only the bus itself has this name.
      guard message.sender == Bus.daemon, message.signature == "sss", (try? message.text()) == Self.portal,
        (try? message.text()) != nil, let owner = try? message.text()
      else { return }
      self?.ownerChanged(owner.isEmpty ? nil : owner)
    }
  }

  private func ownerChanged(_ owner: String?) {
    guard owner != self.owner else { return }
    self.owner = owner
    // The portal that opened them is gone, and with it whoever waited.
    for number in dialogs.numbers { close(number, isWritten: false) }
  }

  // MARK: Events

  func take(_ event: PortalEvent) {
    switch event {
    case .ended(let dialog, let ruling): end(dialog, ruling)
    case .decided: found = [:]
    case .stopped: stop()
    }
  }

  /// Ends all dialogues without an answer. A yes for once is taken back now, since later nobody would.
  private func stop() {
    guard stopsAt == nil else { return }
    stopsAt = now + Self.longestEnd
    for number in dialogs.numbers { close(number) }
    leases.stop()
  }

  /// Does what is due, and returns the moment at which more will be.
  func wake() -> Int64? {
    let (now, wall) = (self.now, rulings.store.environment.now().wall)
    found = found.filter { row, found in found.end.map { $0 > wall } ?? true }
    for step in leases.due(at: now, ruling) { take(step) }
    save()
    let ends = leases.rows.compactMap { found[$0]?.end }.map {
      now + max(0, ($0 - wall).wholeMilliseconds) + 1
    }
    return (ends + [leases.nextMoment(after: now), stopsAt].compactMap(\.self)).min()
  }

  private func ruling(_ row: PermissionRow) -> RowRuling {
    if let known = found[row] { return known.ruling }
    let new = rulings.find(row)
    found[row] = new
    return new.ruling
  }
}

// MARK: - Calls

extension PortalService {
  private static let access = "org.freedesktop.impl.portal.Access"
  private static let background = "org.freedesktop.impl.portal.Background"
  private static let request = "org.freedesktop.impl.portal.Request"
  private static let properties = "org.freedesktop.DBus.Properties"

  private func handle(_ message: BusMessage) -> Bool {
    let isDialog = message.isCall(Self.access, "AccessDialog")
    if isDialog || message.isCall(Self.background, "NotifyBackground") {
      fromPortal(message) { call throws(BusError) in
        try open(isDialog ? AccessDialog(call) : AccessDialog(background: call), call)
      }
    } else if message.isCall(Self.request, "Close") {
      fromPortal(message) { call throws(BusError) in
        if let number = dialogs.number(at: call.path) { close(number) }
        try OutgoingMessage.reply(to: call).send()
      }
    } else if message.isCall(Self.background, "EnableAutostart") {
      fromPortal(message) { call throws(BusError) in try refuseAutostart(call) }
    } else if message.isCall(Self.background, "GetAppState") {
      message.fail(.notSupported("there are no windows here, so it is not known which apps have one"))
    } else if message.isCall(Self.properties, "GetAll") {
      answer(message) { reply throws(BusError) in try reply.addNoOptions() }
    } else {
      return false
    }
    return true
  }

  /// Handles a call that only the portal may make. Every other program on the bus could ask in any app's name.
  private func fromPortal(_ call: BusMessage, _ handle: (BusMessage) throws(BusError) -> Void) {
    guard let owner, call.sender == owner else {
      Notes.note("refused a call of \(call.sender), which is not the portal")
      return call.fail(.accessDenied("only \(Self.portal) may call this"))
    }
    do throws(BusError) { try handle(call) } catch { call.fail(error) }
  }

  /// Says that an app is not started at log-in. That would be a file that runs a command, which nobody was asked about.
  private func refuseAutostart(_ call: BusMessage) throws(BusError) {
    try call.check("sbasu")
    answer(call) { reply throws(BusError) in try reply.add(false) }
  }

  private func answer(_ call: BusMessage, _ write: (OutgoingMessage) throws(BusError) -> Void) {
    do throws(BusError) {
      let reply = try OutgoingMessage.reply(to: call)
      try write(reply)
      try reply.send()
    } catch {
      Notes.note("cannot answer \(call.sender): \(error)")
    }
  }
}

// MARK: - Dialogues

extension PortalService {
  private func open(_ dialog: AccessDialog, _ call: BusMessage) throws(BusError) {
    guard dialogs.number(at: dialog.handle) == nil else {
      throw .badArguments("this dialogue is open already")
    }
    guard stopsAt == nil else { throw .accessDenied("permtui-portal ends") }
    let isFull = dialogs.isFull
    let number = dialogs.add(.init(dialog: dialog, use: dialog.use, call: call))
    if !isFull, let use = dialog.use {
      // It is on its way while the disk is waited for.
      dialogs[number]?.question = questioner.ask(use, of: dialog.app) { [inbox] ruling in
        inbox.add(.ended(dialog: number, ruling))
      }
    }
    if let row = dialogs[number]?.row {
      leases.open(row)
      // On disk, the lease removes a row that nobody answered even if this process ends now.
      save()
      look(at: row)
    }
    guard dialogs[number]?.question == nil else { return }
    let reason = isFull ? "\(OpenDialogs.most) dialogues are open" : "the portal's icon names nothing known"
    Notes.note("\(dialog.app): not asked, because \(reason)")
    end(number, .open)
  }

  /// Ends a dialogue, and answers the portal.
  ///
  /// - Parameter isWritten: Whether the portal is there to store the answer.
  private func end(_ number: Int, _ ruling: RowRuling, isWritten: Bool = true) {
    guard let open = dialogs.remove(number) else { return }
    if let row = open.row {
      found[row] = nil
      leases.close(row, ruling, isWritten: isWritten, at: now)
      save()
    }
    answer(open.call) { reply throws(BusError) in try open.dialog.write(ruling, to: reply) }
  }

  /// Ends a dialogue that nobody waits for any longer.
  private func close(_ number: Int, isWritten: Bool = true) {
    dialogs[number]?.question?.cancel()
    end(number, .open, isWritten: isWritten)
  }
}

// MARK: - Leases

extension PortalService {
  private func changed(_ table: String, _ id: String) {
    for row in leases.rows where row.table == table && row.id == id { look(at: row) }
  }

  /// Looks a leased row up. What is due then is done when the loop turns.
  ///
  /// - Parameter step: The change that was tried before; `nil` if the row is looked up for another reason.
  private func look(at row: PermissionRow, after step: LeaseBook.Step? = nil) {
    desktop.permissions(of: row) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let permissions): leases.see(row, permissions?.first, at: now)
      case .failure(let error): Notes.note("cannot look up \(row.words): \(error)")
      }
      if let step { leases.tried(step, at: now) }
    }
  }

  private func take(_ step: LeaseBook.Step) {
    let done: DesktopStore.Reply<Void> = { [weak self] result in
      if case .failure(let error) = result { Notes.note("cannot change \(step.row.words): \(error)") }
      self?.look(at: step.row, after: step)
    }
    switch step {
    case .delete(let row): desktop.delete(row, done)
    case .set(let row, let meaning):
      guard let permissions = PortalUse(row)?.permissions(for: meaning) else { return }
      desktop.set(row, to: permissions, done)
    }
  }

  /// Writes the leases to disk if they have changed.
  private func save() {
    let lines = leases.leases.map { LeaseFile.Line(row: $0, value: $1.isForeign ? nil : $1.value) }.sorted {
      $0.text < $1.text
    }
    guard lines != written else { return }
    do {
      try file.write(lines)
      written = lines
    } catch {
      Notes.note("\(file.path) cannot be written, so answers do not end if this program does: \(error)")
    }
  }
}
