import Machine
import PermBroker
import PermModel

/// Asks the questions of dialogues at the broker, where a person answers them.
struct Questioner: Sendable {
  let client: BrokerClient

  /// Asks, and waits for the end in a task, which withdraws the question if it is cancelled.
  ///
  /// - Parameter ended: Called once, on any thread, with what may be done; `open` if nobody has answered.
  func ask(
    _ use: PortalUse, of app: String, _ ended: @escaping @Sendable (RowRuling) -> Void
  ) -> Task<Void, Never> {
    let question = VouchedQuestion("app:\(app)", use.atoms, reason: use.reason)
    return Task.quiet {
      do {
        ended(Self.ruling(try await client.end(of: question), use))
      } catch is CancellationError {
        ended(.open)
      } catch {
        Notes.note("\(app.isEmpty ? "an app without a name" : app), \(use.rawValue): not asked: \(error)")
        ended(.open)
      }
    }
  }

  static func ruling(_ end: RequestEnd, _ use: PortalUse) -> RowRuling {
    guard let answer = end.answer else { return .open }
    switch answer.verdict {
    case .allow where use.isCovered(use.atoms, by: answer.allowed): return .allow
    case _ where use.lesser.map({ use.isCovered($0, by: answer.allowed) }) == true: return .lesser
    default: return .deny
    }
  }
}
