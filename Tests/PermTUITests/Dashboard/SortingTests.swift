import PermModel
import Testing

@testable import PermTUI

@Suite("Sorting")
struct SortingTests {
  @Test(
    "Waiting requests stand in the order of their turns, then by name, capability, and how long they wait")
  func waiting() {
    let requests = [
      Samples.request("curl", "photos", Samples.today(14, 3)),
      Samples.request("zip", "camera", Samples.today(14, 1)),
      Samples.request("Anki", "photos", Samples.today(14, 2)),
    ]
    var story = Story(data: Samples.data(decisions: [], waiting: requests.map(Samples.item)))
    story.press("w")
    #expect(labels(story) == ["curl", "zip", "Anki"])
    #expect(
      orders(4, of: &story, labels) == [
        ["Anki", "curl", "zip"], ["zip", "curl", "Anki"], ["zip", "Anki", "curl"], ["curl", "zip", "Anki"],
      ])
    story.press("s", "S")
    #expect(labels(story) == ["zip", "curl", "Anki"])
    #expect(story.desk.report?.text == "Sorted by name, reversed.")
  }

  @Test("A filter that is taken away leaves the order as it was")
  func filter() {
    var story = Story()
    let before = story.state.list.rows
    story.press("/")
    story.type("cam")
    story.press(.enter)
    #expect(story.state.list.rows == [.capability("camera")])
    story.press(.escape)
    #expect(story.state.list.rows == before)
  }

  @Test("Operations stand as the scheduler tells of them, then by name, and how long they wait")
  func operations() {
    var data = Samples.data
    data.operations = Samples.operations
    var story = Story(data: data)
    story.press("o")
    #expect(operations(story) == ["1", "2", "3"])
    #expect(orders(2, of: &story, operations) == [["2", "3", "1"], ["3", "1", "2"]])
  }

  @Test("The journal has one order, and can be turned round")
  func journal() {
    var data = Samples.data
    data.journal = Samples.journal
    var story = Story(data: data)
    story.press("l")
    let rows = story.state.list.rows
    #expect(rows.count > 1)
    story.press("s")
    #expect(story.desk.report?.text == "This list has one order only.")
    story.press("S")
    #expect(story.state.list.rows == rows.reversed())
  }

  /// Returns a list's content after each press of the key that sorts it.
  private func orders(
    _ count: Int, of story: inout Story, _ shown: (Story) -> [String]
  ) -> [[String]] {
    var orders: [[String]] = []
    for _ in 0..<count {
      story.press("s")
      orders.append(shown(story))
    }
    return orders
  }

  private func operations(_ story: Story) -> [String] {
    story.state.list.rows.compactMap { row in
      if case .operation(let id) = row { id } else { nil }
    }
  }

  private func labels(_ story: Story) -> [String] {
    story.state.list.rows.compactMap { row in
      if case .waiting(let id) = row { story.desk.waiting[id]?.request?.subject.label } else { nil }
    }
  }
}
