import PermModel
import PermModelTesting
import Synchronization

/// A presenter of another package. It records each request in words, and gives the next of its answers, for good.
final class OwnPresenter: AlertPresenter {
  private let answers: Mutex<[Verdict]>
  private let log = Mutex<[String]>([])

  init(_ answers: [Verdict]) { self.answers = Mutex(answers) }

  var seen: [String] { log.withLock { $0 } }

  func show(_ turn: AlertTurn) async throws(AlertPresenterError) -> AlertResponse {
    guard case .request(let alert)? = await turn.alert()?.content, let choice = alert.choices.first else {
      return .dismissed
    }
    log.withLock { $0.append("\(alert.subject) asks to \(alert.action): \(alert.reason ?? "no reason")") }
    let verdict = answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    guard let verdict else { return .dismissed }
    return .answered(Answer(verdict, atoms: choice.atoms, lifetime: .forever))
  }
}

/// A program of another package that asks in its own slot, and keeps decisions in memory or in a file.
struct OwnProgram: Sendable {
  let presenter: OwnPresenter
  let authorizer: Authorizer

  init(home: String, answers: [Verdict], store: String? = nil) throws {
    presenter = OwnPresenter(answers)
    let slot = ModalSlot(presenter: presenter)
    let subject = Subject(label: "report", path: "/usr/bin/report")
    let probes = ProbeEnvironment(home: home)
    let environment = FixedEnvironment().environment
    authorizer =
      if let store {
        Authorizer(
          subject: subject, store: try SQLiteStore(at: store, environment: environment), slot: slot,
          environment: probes)
      } else {
        Authorizer(
          subject: subject, store: MemoryStore(environment: environment), slot: slot, environment: probes)
      }
  }

  /// Prints, with an operation whose condition asks.
  func print() async throws -> String {
    let condition = AuthorizedFor(Printing(), authorizer: authorizer, reason: "the monthly report")
    return try await OperationQueue(name: "report").add("print", conditions: [condition]) { _ in "printed" }
      .value
  }

  /// Returns each state of printing until it is allowed.
  func untilAllowed() async -> [String] {
    var states: [String] = []
    for await found in authorizer.statusUpdates(of: Printing()) {
      states.append(found.status.description)
      if found.status.meets(Printing().requirement) { break }
    }
    return states
  }
}

/// A service that exists only while printing is allowed.
final class PrintQueue: AuthorizedService {
  static let capability = Printing()

  init(_ token: AuthorizationToken) {}
}

extension Printing {
  static let catalogue = CapabilityCatalogue.builtIn.adding([
    CapabilityDescriptor(Printing().definition) { Printing($0.first?.name ?? "print") }
  ])
}
