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

  @Test("cannot be marked, or answered together with others, and its row names the machine")
  func waiting() throws {
    var story = story([Self.far()], [try Self.machine()])
    story.press(.escape)
    story.wait(1_000)
    story.press("w")
    story.wait(500)
    #expect(story.grid.picture.contains("web1: photos"))
    story.press(" ")
    #expect(story.desk.report?.text.contains("waits on web1") == true)
    _ = story.takeEffects()
    story.press("a")
    #expect(story.takeEffects().deeds.isEmpty)
  }

  @Test("A machine on which nothing can be answered, or that shows too much, is in the banner")
  func banner() throws {
    let out = try Self.machine(.out(.idChanged))
    let story = story([], [out, try Self.machine(name: "web2", held: 1)], width: 200)
    #expect(story.grid.picture.contains("web1 has another id than before"))
    #expect(story.grid.picture.contains("web2: more waits, held"))
  }
}
