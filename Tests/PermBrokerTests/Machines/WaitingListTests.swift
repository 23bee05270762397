import PermModel
import Testing

@testable import PermBroker

@Suite("The list of what waits on a machine")
struct WaitingListTests {
  /// Returns a waiting request whose reason tells its version.
  static func pending(_ number: Int, _ version: Int = 0, reason: String? = nil) -> PendingRequest {
    let atom = Atom("deploy")
    let request = Request(
      id: Request.ID("r\(number)"), subject: Subject(label: "backup"), capability: "deploy", atoms: [atom],
      reason: reason ?? "version \(version)", askedAt: Timestamp(seconds: 1_000),
      givesUpAt: Timestamp(seconds: 1_060))
    let content = RequestAlert(
      request: request, title: "Deploy", action: "deploy", explanation: "", severity: .mild,
      choices: [RequirementChoice(atoms: [atom], title: "deploy")], identity: .asSeen,
      lifetimes: [LifetimeOffer(.once)])
    return PendingRequest(StoredRequest(request, process: ProcessIdentity(pid: 7, startTime: 1)), content)
  }

  private static func list(_ requests: [PendingRequest], total: Int? = nil) -> WaitingList {
    var list = WaitingList()
    (list.requests, list.total) = (requests, total ?? requests.count)
    return list
  }

  @Test("Changes lead from each list to the next, and name in full only what is new")
  func changes() throws {
    for seed in 1...100 {
      var random = Steps(state: UInt64(seed))
      var (now, received, number) = (WaitingList(), WaitingList(), 0)
      for _ in 0..<40 {
        let old = now
        number += 1
        switch Int.random(in: 0..<4, using: &random) {
        case 0: now.requests.append(Self.pending(number))
        case 1: now.requests = Array(now.requests.dropFirst())
        case 2: if !now.requests.isEmpty { now.requests[0] = Self.pending(number, number) }
        default: now.requests.shuffle(using: &random)
        }
        now.total = now.requests.count + Int.random(in: 0..<3, using: &random)
        let change = Wire.WaitingChange(from: old, to: now)
        #expect((change.new ?? []).count == Set(now.requests).subtracting(old.requests).count)
        let sent = try WireCoding.decode(
          Wire.WaitingChange.self, from: try WireCoding.encode(change).dropLast())
        received = try sent.list(after: received)
        #expect(received == now)
      }
    }
  }

  @Test("A list that names what it does not have, one request twice, or less in all than it has, is refused")
  func liars() throws {
    let good = Wire.WaitingChange(from: WaitingList(), to: Self.list([Self.pending(1), Self.pending(2)]))
    for bad in [["r3"], ["r1", "r1"], ["r1", "r2", "r9"]] {
      var change = good
      change.ids = bad
      change.total = 9
      #expect(throws: BrokerError.self) { try change.list(after: WaitingList()) }
    }
    var short = good
    short.total = 1
    #expect(throws: BrokerError.self) { try short.list(after: WaitingList()) }
  }

  @Test("As many are listed as a reply has room for, and all are counted")
  func room() {
    let long = String(repeating: "x", count: 16_000)
    let list = WaitingList((0..<90).map { Self.pending($0, reason: long) }, total: 90)
    #expect((10..<90).contains(list.requests.count) && list.total == 90)
    #expect(list.requests.map(\.id) == (0..<list.requests.count).map { Request.ID("r\($0)") })
  }
}
