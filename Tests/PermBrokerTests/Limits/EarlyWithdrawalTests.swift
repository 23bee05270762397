import Machine
import PermModel
import Testing

@testable import PermBroker

@Suite("Requests that are withdrawn before they are in the queue")
struct EarlyWithdrawalTests {
  @Test("end as soon as they get there, also if the program became another meanwhile")
  func early() throws {
    let ledger = AskingLedger { .zero }
    let program = TestBroker.program("/home/ana/bin/backup.sh")
    let request = Request(
      id: Request.ID("one"), subject: program.subject(label: nil), capability: "deploy",
      atoms: [Atom("deploy", "staging")], askedAt: Timestamp(seconds: 1))
    let peer = Peer(pid: program.peer.pid, user: 0)
    let entry = AskingLedger.Entry(
      request: request, peer: peer, seen: program,
      account: CostAccount(ProgramKey(request.subject), in: .unknown)
    ) {}
    #expect(ledger.enter(entry))
    let same = PeerWitness(look: { _, _ in program })
    #expect(ledger.withdrawChanged([request.id], same).isEmpty)
    let other = PeerWitness(look: { _, _ in nil })
    #expect(ledger.withdrawChanged([request.id], other) == [request.id])
    let withdrawals = Lock(0)
    ledger.begin(request.id) { withdrawals.withLock { $0 += 1 } }
    #expect(withdrawals.withLock { $0 } == 1)
  }
}
