import Machine
import Operations
import PermBroker
import PermModel

/// The services that a dashboard uses besides the screen.
struct DashboardServices: Sendable {
  let store: any PermissionStore
  /// Returns the capabilities, the environment that probes and examples examine, and the policy, as they count now.
  let settings: @Sendable () -> BrokerSettings
  /// Returns a stream of signals that the settings have changed. Its first element arrives immediately.
  let settingsChanges: @Sendable () -> AsyncStream<Void>
  let queue: OperationQueue
  /// The observer of the steps of the queue's operations.
  let steps: OperationSteps
  let slot: ModalSlot
  /// The alerts of this dashboard.
  private(set) var alerts: any DashboardAlerts
  /// The alerts with those of other machines; `nil` if the dashboard shows only its own machine.
  private(set) var machines: MachineAlerts?
  /// The means to answer requests that the person picks from a list.
  private(set) var answering: any RequestAnswering
  let desk: any PermissionAnswerer
  /// The program in whose name the dashboard asks.
  let subject = Subject.thisProgram
  /// An id that distinguishes changes made in this dashboard from all others. It begins with the pid of the process.
  let dashboardID: String
  /// One or two words that say whether programs can reach this dashboard.
  var connection = ""
  /// The program that reads and changes the desktop's permission store; `nil` if there is none, or no desktop's bus.
  var desktop: DesktopProgram?
  /// Tells the broker whether this dashboard holds alerts.
  var hold: @Sendable (Bool) -> Void = { _ in }

  /// The origin of changes if it is not the dashboard but the command that goes through the waiting requests.
  var ownOrigin: Origin?

  var origin: Origin { ownOrigin ?? .dashboard(id: dashboardID) }
  var catalogue: CapabilityCatalogue { settings().catalogue }
  var probes: ProbeEnvironment { settings().probes }
  /// The authorizer that asks in the dashboard's own name.
  var authorizer: Authorizer {
    let settings = settings()
    return Authorizer(subject: subject, answerer: desk, environment: settings.probes, policy: settings.policy)
  }
}

extension DashboardServices {
  /// Creates services that share a broker's queue, modal slot and desk, so that everything modal in this process goes
  /// through the same slot.
  ///
  /// - Parameter steps: Observes the broker's queue.
  init(_ link: BrokerLink, steps: OperationSteps, dashboardID: String) {
    let (broker, configuration) = (link.broker, link.broker.configuration)
    self.init(
      store: configuration.store, settings: { broker.settings }, settingsChanges: { broker.settingsChanges },
      queue: configuration.queue, steps: steps, slot: broker.slot, alerts: link, answering: link,
      desk: broker.answerer, dashboardID: dashboardID)
    hold = { link.hold($0) }
  }

  /// Lets the dashboard show the alerts of other machines, too.
  ///
  /// - Parameter access: The means to reach them.
  mutating func answerForOthers(_ access: MachineAccess) {
    let all = MachineAlerts(alerts, answering: answering, access, dashboard: dashboardID)
    (alerts, answering, machines) = (all, all, all)
  }

  /// Creates services without a broker: only this process asks, and only this process shows the alerts.
  init(store: any PermissionStore, probes: ProbeEnvironment = .current) {
    self.store = store
    settings = { BrokerSettings(probes: probes) }
    let signal = ChangeSignal()
    settingsChanges = { signal.changes() }
    steps = OperationSteps()
    queue = OperationQueue(quiet: "dashboard", observers: [steps])
    dashboardID = Origin.dashboardID(pid: ProcessHandle.own, random: store.environment.makeID())
    let board = OwnBoard(dashboard: dashboardID)
    slot = ModalSlot(board.keeper, refusing: .panic(in: store))
    alerts = board
    answering = StoreControl(
      store, catalogue: .builtIn, policy: .none, origin: .dashboard(id: dashboardID))
    desk = LocalAnswerer(store: store, slot: slot, environment: probes, origin: .dashboard(id: dashboardID))
  }
}

/// An observer that reports each step of a queue's operations, so that a view of the operations can be redrawn.
struct OperationSteps: OperationObserver {
  /// A stream with one element for each step, for one consumer. Elements that the consumer has not received
  /// yet are merged into one.
  let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  func observe(_ event: OperationEvent, of operation: OperationReference) { continuation.yield() }

  func observer(ofChildOf parent: OperationReference) -> (any OperationObserver)? { self }
}

extension Subject {
  fileprivate static var thisProgram: Subject {
    let link = "/proc/self/exe"
    guard let path = Paths.resolved(link) else { return Subject(label: "permtui") }
    let file = ProtectedFile.isProtected(path) ? nil : FileIdentity(ofFileAt: link)
    return Subject(label: "permtui", path: path, file: file)
  }
}
