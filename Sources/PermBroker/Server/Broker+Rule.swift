import Machine
import Operations
import PermModel

// Which callers at the socket `control` may change anything.

extension Broker {
  /// Lets a call that changes something through, or refuses it: the journal and the dashboards tell of the attempt.
  ///
  /// - Throws: ``BrokerError/mayNotChange(reason:)``.
  func admitChange(by peer: Peer, at method: String) throws {
    let caller = configuration.control.look(peer)
    guard let objection = ControlRule.objection(to: caller, asking: try askers()) else { return }
    answers.note(objection.attempt(at: method, by: subject(of: peer)))
    turnAway(peer)
    throw BrokerError.mayNotChange(reason: objection.words)
  }

  /// The programs with a request that waits: at this broker, and those that only the store knows of.
  private func askers() throws -> [WaitingRequest] {
    let here = ledger.all.map { WaitingRequest($0.request, process: $0.seen.evidence.process) }
    return here + (try store.waitingRequests())
  }

  private func subject(of peer: Peer) -> Subject {
    configuration.witness.program(behind: peer, withChain: false)?.subject(label: nil)
      ?? Subject(label: "process \(peer.pid)")
  }

  /// Ends what a dashboard shows that may not answer, so that the alerts are shown elsewhere.
  private func turnAway(_ peer: Peer) {
    remotes.withLock { $0.values.filter { $0.process == peer.pid } }.forEach { $0.leave() }
  }
}
