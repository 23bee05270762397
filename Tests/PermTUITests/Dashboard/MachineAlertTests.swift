import PermModel
import TerminalTesting
import Testing

@testable import PermBroker
@testable import PermTUI

@Suite("An alert of another machine")
struct MachineAlertTests {
  private static let id = String(repeating: "a", count: 32)

  private static func machine(
    _ standing: ShownMachine.Standing? = nil, name: String = "web1", held: Int = 0
  ) throws -> ShownMachine {
    let name = try RemoteName(name)
    let hello = MachineHello(
      id: id, host: "w", version: "1", operatorName: nil, passes: .answers, skew: .zero)
    return ShownMachine(
      machine: ConfiguredMachine(name: name, destination: SSHDestination(name), kind: "prod", colour: 1),
      id: id, standing: standing ?? .answering(hello), heldCount: held)
  }

  private static func far(_ alert: Alert = Samples.alert()) -> Alert {
    Alert(id: Alert.ID(alert.id.text, machine: id), content: alert.content)
  }

  private static func picture(_ alerts: [Alert], _ machines: [ShownMachine]) -> DashboardPicture {
    var picture = DashboardPicture()
    picture.shown = alerts.enumerated().map { .init($1, .init(number: $0 + 1)) }
    picture.machines = machines
    return picture
  }

  private func story(
    _ alerts: [Alert], _ machines: [ShownMachine], width: Int = 80, height: Int = 24
  ) -> Story {
    var data = Samples.data
    data.waiting = []
    var story = Story(width: width, height: height, data: data)
    story.happen(.pictured(Self.picture(alerts, machines)))
    story.wait(2_000)
    return story
  }

  @Test("names its machine before everything else", arguments: GoldenTests.sizes)
  func named(width: Int, height: Int) throws {
    let story = story([Self.far()], [try Self.machine()], width: width, height: height)
    #expect(story.grid.picture.contains("backup on web1 asks to read your"))
    #expect(story.grid.picture.contains("web1 · prod"))
    try Golden.check(story.grid.picture, "forms/machine-\(width)x\(height)")
  }

  @Test("is told from one of this machine with the same id, by the machine and in its answer")
  func own() throws {
    var story = story([Samples.alert(), Self.far()], [try Self.machine()])
    #expect(story.grid.picture.contains("On        this machine"))
    _ = story.takeEffects()
    story.press("d")
    story.wait(1_000)
    guard case .respond(let first, _, _)? = story.takeEffects().deeds.first else { throw CancellationError() }
    #expect(first == Samples.alert().id)
    story.happen(.pictured(Self.picture([Self.far()], [try Self.machine()])))
    story.wait(3_000)
    #expect(story.grid.picture.contains("web1 · prod"))
    story.press("d")
    story.wait(1_000)
    guard case .respond(let second, _, _)? = story.takeEffects().deeds.first else {
      throw CancellationError()
    }
    #expect(second == Self.far().id && second.machine == Self.id)
    #expect(story.desk.report?.text.hasPrefix("On web1: Denied") == true)
    #expect(story.desk.report?.isUndoable == false)
  }

  /// Two machines on which requests wait, on the first one more than is listed.
  private static func machines() throws -> [ShownMachine] {
    try ["web1", "web2"].enumerated().map { index, name in
      var machine = try machine(name: name)
      machine.id = String(repeating: index == 0 ? "a" : "b", count: 32)
      for (number, program) in ["backup", "deploy"].enumerated() {
        let request = Samples.request(
          program, "photos", Samples.today(14, 2, number), reason: nil, atoms: [Atom("photos", "read")])
        var pending = Samples.pending(request, in: Samples.data)
        pending.machine = machine.id ?? ""
        machine.waiting.requests.append(pending)
      }
      machine.waiting.total = index == 0 ? 214 : 2
      return machine
    }
  }

  @Test("The requests of each machine are listed under its name, and those that are not listed are counted")
  func waiting() throws {
    var story = story([], try Self.machines())
    story.press("w")
    story.wait(500)
    #expect(story.grid.picture.contains("web1: backup"))
    #expect(story.grid.picture.contains("web1: 212 more wait there"))
    #expect(story.desk.waitingCount == 216)
    try Golden.check(story.grid.picture, "waiting/machines-80x24")
    story.press("/")
    story.type("web2")
    story.press(.enter)
    #expect(story.grid.picture.contains("web2: backup") && !story.grid.picture.contains("web1: backup"))
  }

  @Test("Marked requests of several machines get the same answer, each with its own digest")
  func together() throws {
    let machines = try Self.machines()
    var story = story([], machines)
    story.press("w")
    story.wait(500)
    story.press(" ", " ", " ")
    _ = story.takeEffects()
    story.press("a")
    story.wait(1_000)
    #expect(story.grid.picture.contains("Allow 3 requests?"))
    #expect(story.grid.picture.contains("on web1, photos") && story.grid.picture.contains("on web2, photos"))
    story.strike("y")
    guard case .answerTogether(let requests, .allow, .once)? = story.takeEffects().deeds.first else {
      throw CancellationError()
    }
    #expect(requests.map(\.machine) == [machines[0].id, machines[0].id, machines[1].id])
    #expect(Set(requests.map { "\($0.digest)@\($0.machine)" }).count == 3)
  }

  @Test("A request of another machine is opened from the list, and its answer goes there")
  func picked() throws {
    let machines = try Self.machines()
    var story = story([], machines)
    story.press("w")
    story.wait(500)
    story.press(.enter)
    story.wait(1_000)
    #expect(story.grid.picture.contains("web1 · prod"))
    _ = story.takeEffects()
    story.strike("d")
    let pending = machines[0].waiting.requests[0]
    guard case .answer(let id, let answer, let digest)? = story.takeEffects().deeds.first else {
      throw CancellationError()
    }
    #expect(id == pending.alertID && digest == pending.digest && answer.verdict == .deny)
  }

  @Test("Rows of a machine that is out of reach go, and so does a picked request of it")
  func gone() throws {
    var story = story([], try Self.machines())
    story.press("w")
    story.wait(500)
    story.press(" ")
    story.press(.enter)
    story.wait(1_000)
    story.happen(.pictured(Self.picture([], [try Self.machine(.out(.silent(seconds: 25)))])))
    #expect(story.desk.form?.isWithdrawn == true)
    #expect(story.desk.waitingItems.isEmpty)
  }

  @Test("A machine on which nothing can be answered, or that shows too much, is in the banner")
  func banner() throws {
    let out = try Self.machine(.out(.idChanged))
    let story = story([], [out, try Self.machine(name: "web2", held: 1)], width: 200)
    #expect(story.grid.picture.contains("web1 has another id than before"))
    #expect(story.grid.picture.contains("web2: more waits, held"))
  }
}
