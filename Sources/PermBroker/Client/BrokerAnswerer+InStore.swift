import Machine
import PermModel

// Requests that wait in the store while no broker is running.

extension BrokerAnswerer {
  private enum StoreEnd: Sendable {
    case ended(RequestEnd)
    /// The start of a broker that takes over the request.
    case brokerCame
  }

  /// Gets the outcome of the request from the store, waiting if necessary. Returns `nil` as soon as a broker has
  /// started, so that the broker can be asked instead.
  func endInStore(_ asking: Asking, _ attempts: inout Attempts) async throws -> RequestEnd? {
    let answerer = try store.answerer()
    let asked = AskedValues(asking.request)
    let asking = try await store.resolved(asking)
    let (waits, waiting) = AsyncStream.makeStream(of: Void.self)
    let hadWaited = attempts.hasWaited
    attempts = Attempts(hasWaited: true)
    let end = try await first(
      of: {
        let end = try await store.end(
          of: asking.request, asking: asked, asking.capability, at: answerer
        ) {
          if !hadWaited { await asking.whenWaiting?() }
          await terminal?.waits(dashboards: 0)
          waiting.yield()
        }
        // Decisions have settled a request that an earlier broker left waiting in the store, so it can be closed there.
        if hadWaited { _ = try store.open().close(asking.request.id, end, by: store.origin) }
        return StoreEnd.ended(end)
      },
      {
        for await _ in waits { return try await waitForBroker(asking, answerer) }
        return nil
      })
    switch end {
    case .ended(let end)?: return end
    case .brokerCame?: return nil
    case nil: throw CancellationError()
    }
  }

  /// Waits for a broker to start, and asks on the program's own terminal in the meantime.
  private func waitForBroker(_ asking: Asking, _ answerer: LocalAnswerer) async throws -> StoreEnd? {
    // A watch is made only for a request that waits, because closing the watch takes longer than giving a known answer.
    let watch = BrokerWatch(addresses)
    let line = try store.questionLine(for: asking)
    return try await first(
      of: {
        guard await watch.waitUntilListening() else { return nil }
        answerer.handOver()
        return .brokerCame
      }, { try await askHere(asking, line).map(StoreEnd.ended) })
  }
}
