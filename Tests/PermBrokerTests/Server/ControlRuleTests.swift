import Foundation
import Machine
import PermModel
import Testing

@testable import PermBroker

@Suite("A program that asks cannot answer: the rule")
struct ControlRuleTests {
  private func process(_ pid: Int32, at startTime: UInt64? = nil) -> ProcessIdentity {
    ProcessIdentity(pid: pid, startTime: startTime ?? UInt64(pid))
  }

  private func asker(_ process: ProcessIdentity) -> StoredRequest {
    StoredRequest(
      Request(
        id: Request.ID("one"), subject: Subject(label: "agent"), capability: "photos", atoms: [],
        askedAt: Timestamp(seconds: 1)), process: process)
  }

  /// Returns a command with its ancestors.
  private func caller(_ pids: Int32..., shell: Int32? = nil) -> ControlCaller {
    ControlCaller(lineage: pids.map { .init(identity: process($0), isPersonsShell: $0 == shell) })
  }

  @Test("A program started by one that waits may change nothing, however far down it is")
  func descends() {
    let asking = [asker(process(50))]
    #expect(ControlRule.objection(to: caller(50, 1), asking: asking) == .descends(from: asking[0]))
    #expect(
      ControlRule.objection(to: caller(90, 80, 70, 50, 1), asking: asking) == .descends(from: asking[0]))
    #expect(ControlRule.objection(to: caller(90, 80, 70, 1), asking: asking) == nil)
    #expect(ControlRule.objection(to: caller(90, 50, 1), asking: []) == nil)
  }

  @Test("The shell of a terminal may ask and answer, and what it starts is not its script's")
  func shell() {
    #expect(ControlRule.objection(to: caller(90, 50, 1, shell: 50), asking: [asker(process(50))]) == nil)
    // A script waits in the background; the dashboard is its sibling.
    #expect(ControlRule.objection(to: caller(91, 50, 1, shell: 50), asking: [asker(process(90))]) == nil)
  }

  @Test("A shell on a terminal that an agent made is still the agent's")
  func shellOfAgent() {
    let asking = [asker(process(40))]
    #expect(
      ControlRule.objection(to: caller(90, 50, 40, 1, shell: 50), asking: asking)
        == .descends(from: asking[0]))
  }

  @Test("A program that an agent started may change nothing, even while none of the agent's requests waits")
  func agent() {
    let claude = Subject(label: "claude")
    let agent = { (process: ProcessIdentity) in process == self.process(50) ? claude : nil }
    #expect(
      ControlRule.objection(to: caller(90, 70, 50, 1), asking: [], agent: agent) == .belongs(to: claude))
    #expect(ControlRule.objection(to: caller(90, 70, 50, 1, shell: 70), asking: [], agent: agent) != nil)
    #expect(ControlRule.objection(to: caller(90, 40, 1), asking: [], agent: agent) == nil)
  }

  @Test("A process with an agent's file that the store knows is the agent's, unless it is a person's shell")
  func knownAgent() {
    let claude = Subject(label: "claude", path: "/opt/claude")
    var caller = caller(90, 50, 1)
    #expect(ControlRule.objection(to: caller, asking: [], known: ["/opt/claude": claude]) == nil)
    caller.lineage[1].program = "/opt/claude"
    #expect(
      ControlRule.objection(to: caller, asking: [], known: ["/opt/claude": claude]) == .belongs(to: claude))
    #expect(ControlRule.objection(to: caller, asking: []) == nil)
    caller.lineage[1].isPersonsShell = true
    #expect(ControlRule.objection(to: caller, asking: [], known: ["/opt/claude": claude]) == nil)
  }

  /// Returns a command whose outermost process was adopted.
  private func orphan(_ pids: Int32..., by pid: Int32 = 1) -> ControlCaller {
    var caller = ControlCaller(lineage: pids.map { .init(identity: process($0)) })
    caller.lineage.append(.init(identity: process(pid), adopts: true))
    return caller
  }

  @Test("While an agent is known, an orphan that was started after it may only look")
  func orphans() {
    func objection(_ caller: ControlCaller, since: UInt64? = 50) -> ControlRule.Objection? {
      ControlRule.objection(to: caller, asking: [], agentsSince: since)
    }
    #expect(objection(orphan(90, 80)) == .orphan)
    #expect(objection(orphan(90, 50)) == .orphan)
    #expect(objection(orphan(90, 80, 60, by: 40)) == .orphan)
    #expect(objection(orphan(90, 80), since: nil) == nil)
    // A process that is older than the agent was not started by it, and may change something.
    #expect(objection(orphan(90, 80, 49)) == nil)
    #expect(objection(caller(90, 80)) == nil)
  }

  @Test("A person's shell, a session that root began, and a dashboard tell that no agent started it")
  func notOrphans() {
    func objection(_ caller: ControlCaller, dashboards: Set<Int32> = []) -> ControlRule.Objection? {
      ControlRule.objection(to: caller, asking: [], agentsSince: 50, dashboards: dashboards)
    }
    var one = orphan(90, 80)
    one.lineage[1].isPersonsShell = true
    #expect(objection(one) == nil)
    one = orphan(90, 80)
    one.lineage[1].beginsSession = true
    #expect(objection(one) == nil)
    #expect(objection(orphan(90, 80), dashboards: [90]) == nil)
    // A process that a dashboard has started is not the dashboard.
    #expect(objection(orphan(90, 80), dashboards: [80]) == .orphan)
  }

  @Test("While an agent is known, a login over ssh from this machine may only look")
  func loginFromHere() {
    func objection(
      _ caller: ControlCaller, since: UInt64? = 50, isFromHere: Bool = true
    ) -> ControlRule.Objection? {
      ControlRule.objection(to: caller, asking: [], agentsSince: since, isFromHere: { _ in isFromHere })
    }
    var login = caller(90, 80, 70, 40)
    #expect(objection(login) == nil)
    login.lineage[2].isSSHServer = true
    #expect(objection(login) == .loggedInFromHere)
    #expect(objection(login, isFromHere: false) == nil)
    #expect(objection(login, since: nil) == nil)
    // A login that is older than the agent was not made by it.
    #expect(objection(login, since: 75) == nil)
    // An agent can open a terminal over there, too, or forward the socket, so that sshd itself connects.
    login.lineage[1].isPersonsShell = true
    #expect(objection(login) == .loggedInFromHere)
    var forwarded = caller(90, 40)
    forwarded.lineage[0].isSSHServer = true
    #expect(objection(forwarded) == .loggedInFromHere)
  }

  @Test("An operator's name that no forced command gave answers nothing")
  func unproven() {
    var bridge = caller(90, 80)
    bridge.operator = .unproven("boss")
    #expect(ControlRule.objection(to: bridge, asking: []) == .notSent(by: "boss"))
    bridge.operator = .proven("ana")
    #expect(ControlRule.objection(to: bridge, asking: []) == nil)
    #expect(ControlRule.objection(to: bridge, asking: [asker(process(80))]) != nil)
  }

  @Test("A process that has the number of one that asked is another")
  func reuse() {
    #expect(ControlRule.objection(to: caller(90, 50, 1), asking: [asker(process(50, at: 7))]) == nil)
  }

  @Test(
    "From other namespaces, and where the process cannot be told, nothing is changed",
    arguments: Namespace.allCases)
  func elsewhere(_ namespace: Namespace) {
    var caller = caller(90, 1)
    caller.foreign = namespace
    #expect(ControlRule.objection(to: caller, asking: []) == .elsewhere(namespace))
    #expect(ControlRule.objection(to: ControlCaller(lineage: []), asking: []) == .unknown)
    let inherited = ControlCaller(lineage: [.init(identity: process(90))], isHeld: false)
    #expect(ControlRule.objection(to: inherited, asking: []) == .unknown)
  }

  @Test("This process is seen with its ancestors, in the namespaces of its broker")
  func real() throws {
    let pair = try #require(UnixSockets.pair())
    defer { for end in [pair.own, pair.other] { close(end) } }
    let peer = try Peer(of: pair.own)
    #expect(peer.family == ProcessFamily(of: getpid()) && peer.family != .unknown)
    let caller = ControlWitness().look(peer)
    #expect(caller.lineage.prefix(2).map(\.identity.pid) == [getpid(), getppid()])
    #expect(caller.foreign == nil)
    #expect(caller.isHeld)
    let asking = asker(try #require(caller.lineage.first).identity)
    #expect(ControlRule.objection(to: caller, asking: [asking]) == .descends(from: asking))
    #expect(
      ControlRule.objection(
        to: ControlWitness().look(Peer(pid: .max, user: geteuid(), socket: nil)), asking: [])
        == .unknown)
  }
}
