import Machine
import Operations
import PermBroker
import PermModel

/// The services that a dashboard uses besides the screen.
struct DashboardServices: Sendable {
  let store: any PermissionStore
  let catalogue: CapabilityCatalogue
  /// The environment that probes and examples examine.
  let probes: ProbeEnvironment
  let queue: OperationQueue
  /// The observer of the steps of the queue's operations.
  let steps: OperationSteps
  let slot: ModalSlot
  /// The authorizer that asks in the dashboard's own name.
  let authorizer: Authorizer
  /// A random id that distinguishes changes made in this dashboard from all others.
  let dashboardID: String
  /// One or two words that say whether programs can reach this dashboard.
  var connection = ""

  var origin: Origin { .dashboard(id: dashboardID) }
}

extension DashboardServices {
  /// Creates services that share a broker's queue, modal slot and desk, so that everything modal in this process goes
  /// through the same slot.
  ///
  /// - Parameter steps: Observes the broker's queue.
  init(_ broker: Broker, steps: OperationSteps, dashboardID: String) {
    let configuration = broker.configuration
    self.init(
      store: configuration.store, catalogue: configuration.catalogue, probes: configuration.probes,
      queue: configuration.queue, steps: steps, slot: broker.slot,
      authorizer: Authorizer(
        subject: .thisProgram, desk: broker.desk, environment: configuration.probes,
        policy: configuration.policy),
      dashboardID: dashboardID)
  }

  /// Creates services without a broker: only this process asks, and only this process shows the alerts.
  init(store: any PermissionStore, presenter: any AlertPresenter, probes: ProbeEnvironment = .current) {
    self.store = store
    catalogue = .builtIn
    self.probes = probes
    steps = OperationSteps()
    queue = OperationQueue(name: "dashboard", observers: [steps])
    slot = ModalSlot(presenter: presenter, refusing: .panic(in: store))
    dashboardID = store.environment.makeID()
    let desk = LocalDesk(store: store, slot: slot, environment: probes, origin: .dashboard(id: dashboardID))
    authorizer = Authorizer(subject: .thisProgram, desk: desk, environment: probes)
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
