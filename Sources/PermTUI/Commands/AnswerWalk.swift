import Glibc
import Operations
import PermBroker
import PermModel

/// Goes through what waits, on the person's own terminal, one request after the other, until nothing waits.
///
/// It shows alerts as a dashboard does: at the broker that runs, or as the broker itself.
struct AnswerWalk {
  let shared: SharedOptions

  /// How long nothing may wait before the walk ends: programs that found no broker look again this often.
  private static let patience = Duration.milliseconds(600)

  func run(in context: CommandContext) throws -> ExitStatus {
    guard isatty(STDIN_FILENO) == 1 else {
      throw CommandError.usage(
        "there is no terminal to ask on", advice: ["answer one request: permtui answer ID allow"])
    }
    let store = try context.store(.change)
    let place = try shared.brokerPlace()
    let link = BrokerLink(
      Broker.Configuration(store: store, catalogue: context.catalogue, probes: context.probes), at: place,
      presenter: LinePresenter(), dashboard: store.environment.makeID())
    AsyncBridge.wait {
      let running = Task { await link.run() }
      await waitUntilNothingWaits(in: store)
      link.leave()
      running.cancel()
      await link.stop()
    }
    context.console.note("Nothing waits any more.")
    return .done
  }

  private func waitUntilNothingWaits(in store: any PermissionStore) async {
    var quiet = 0
    while quiet < 2 {
      guard (try? await Task.sleep(for: Self.patience)) != nil else { return }
      let waiting = (try? store.waitingRequests().filter { $0.setAsideAt == nil }) ?? []
      quiet = waiting.isEmpty ? quiet + 1 : 0
    }
  }
}
