import Machine
import PermModel
import PermModelTesting
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("The reading of a long day")
struct DayReadingTests {
  private static let many = 5_000
  private let world = FixedEnvironment()
  private let store: MemoryStore

  init() throws {
    store = MemoryStore(environment: world.environment)
    for number in 0..<Self.many {
      try store.record(
        AutomaticAnswer(
          .allow, subject: Subject(label: "agent-\(number)", path: "/usr/bin/agent"), capability: "photos",
          atoms: [Atom("photos", "read")], reason: "decided before"))
    }
    world.pass(.seconds(600))
  }

  private var today: DayNumber {
    let now = LocalTime(store.environment.now().wall)
    return DayNumber(year: now.year, month: now.month, day: now.day)
  }

  @Test("shows the first part soon, and ends with all of it, each request once")
  func parts() async throws {
    var (page, reading) = try await DayReading(today).read(store)
    #expect(!page.isWhole && !reading.isWhole)
    var sizes = [page.programs.count]
    while !reading.isWhole {
      (page, reading) = try await reading.read(store)
      sizes.append(page.programs.count)
    }
    #expect(page.isWhole && page.programs.count == Self.many)
    #expect(sizes == sizes.sorted() && sizes.first.map { $0 < Self.many } == true)
    let again = try await reading.read(store)
    #expect(again.0.isWhole && again.0.programs.count == Self.many)
  }

  @Test("is told in the title")
  func title() throws {
    var story = Story()
    story.press("t")
    var data = Samples.data
    data.day = DayPage(DayViewTests.day, of: story.desk.today, isWhole: false) { _ in 9 }
    story.happen(.changed(data))
    #expect(story.grid.picture.contains("still reading"))
    data.day = DayPage(DayViewTests.day, of: story.desk.today) { _ in 9 }
    story.happen(.changed(data))
    #expect(!story.grid.picture.contains("still reading"))
  }
}
