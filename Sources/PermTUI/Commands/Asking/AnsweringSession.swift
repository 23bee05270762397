import ArgumentParser
import Machine
import PermBroker
import PermModel

/// A round of answers through the waiting requests, one by one, on the person's own terminal. It ends when no requests are left
/// except those that were left for later.
///
/// On a capable terminal, each request comes in the alert's own box, wherever else its alert is shown. On any other
/// terminal, it comes line by line. If no broker is running, the round acts as the broker.
struct AnsweringSession {
  let context: CommandContext
  var noColor = false

  func run() throws -> ExitStatus {
    guard StandardStream.isTerminal(StandardStream.input) else {
      throw CommandError.usage(
        "there is no terminal to ask on", advice: ["answer one request: permtui answer ID allow"])
    }
    let place = try context.brokerPlace()
    if place.isElsewhere, let broker = try context.broker() { return try walk(broker, at: place) }
    let store = try SQLiteStore(path: try context.storePath(), environment: context.world)
    var session = DashboardSession(context.brokerConfiguration(store), at: place, isRound: true)
    session.settings = DashboardSettings(context.probes)
    session.settings.times = context.configuration.promptTimes
    session.services.ownOrigin = .commandLine
    let code = try DashboardLaunch(noColor: noColor, isPlain: false).show(session) {}
    if code != 0 { throw ExitCode(code) }
    return end(left: try store.waitingCount())
  }

  /// Tells how many requests still wait.
  private func end(left: Int) -> ExitStatus {
    let words =
      switch left {
      case 0: "Nothing waits now."
      case 1: "One request still waits; permtui pending lists it."
      default: "\(left) requests still wait; permtui pending lists them."
      }
    context.console.note(words)
    return .done
  }
}

// MARK: - Over a forwarded socket

extension AnsweringSession {
  private enum Step: Sendable {
    case answered(Answer)
    /// The request was answered or withdrawn elsewhere.
    case isOver
    /// The input has ended, which answers nothing.
    case left
  }

  /// Asks, line by line, about the requests of a broker whose store is not on this machine.
  private func walk(_ broker: BrokerConnection, at place: BrokerLocation) throws -> ExitStatus {
    let presenter = LinePresenter(answeringAs: .commandLine)
    var passed: Set<Request.ID> = []
    walk: while let next = try broker.pending().first(where: { !passed.contains($0.id) }) {
      passed.insert(next.id)
      switch try ask(about: next, presenter, broker, at: place) {
      case .isOver: continue
      case .left: break walk
      case .answered(let answer):
        do {
          try broker.answer(next.id, answer, to: next.digest)
        } catch let error as BrokerError {
          context.console.note("Nothing was answered: \(error)")
          if case .changed = error { passed.remove(next.id) }
        }
      }
    }
    return end(left: try broker.pending().count)
  }

  /// Asks about one request, for as long as it waits.
  private func ask(
    about request: PendingRequest, _ presenter: LinePresenter, _ broker: BrokerConnection,
    at place: BrokerLocation
  ) throws -> Step {
    // The journal position is read before the waiting requests, so that the request cannot end unnoticed in between.
    let newest = try broker.journal(.all, .newest(1)).first?.id ?? 0
    let changes = try BrokerClient(addresses: place.addresses).changes(since: newest)
    let isWaiting: @Sendable () throws -> Bool = { try broker.pending().contains { $0.id == request.id } }
    return try AsyncBridge.wait {
      try await first(
        of: {
          guard case .answered(let answer) = try await presenter.present(request.alert) else {
            return Task.isCancelled ? nil : .left
          }
          return .answered(answer)
        },
        {
          guard try isWaiting() else { return .isOver }
          for try await _ in changes where try !isWaiting() { return .isOver }
          return nil
        })
    } ?? .left
  }
}
