import Machine
import Operations
import PermModel

// Checks whether a caller at the socket `control` may change anything.

extension Broker {
  /// Admits a call that changes something, or refuses it and records the attempt in the journal.
  ///
  /// - Throws: ``BrokerError/mayNotChange(reason:)``.
  func admitChange(by peer: Peer, at method: String) throws {
    let caller = configuration.control.look(peer)
    guard let objection = ControlRule.objection(to: caller, asking: try askers()) else { return }
    answers.note(objection.attempt(at: method, by: subject(of: peer)))
    turnAway(peer)
    throw BrokerError.mayNotChange(reason: objection.words)
  }

  /// Returns the waiting requests: those at this broker, and those that only the store knows.
  private func askers() throws -> [WaitingRequest] {
    let here = ledger.all.map { WaitingRequest($0.request, process: $0.seen.evidence.process) }
    return here + (try store.waitingRequests())
  }

  private func subject(of peer: Peer) -> Subject {
    configuration.witness.program(behind: peer, withChain: false)?.subject(label: nil)
      ?? Subject(label: "process \(peer.pid)")
  }

  /// Detaches the dashboards of a process that may not answer, so that their alerts are shown elsewhere.
  private func turnAway(_ peer: Peer) {
    remotes.withLock { $0.values.filter { $0.process == peer.pid } }.forEach { $0.leave() }
  }
}
