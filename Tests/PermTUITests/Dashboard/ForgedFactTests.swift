import PermModel
import Testing

@testable import PermTUI

@Suite("A name in the headline of an alert")
struct ForgedFactTests {
  private func alert(_ folder: String) -> Alert {
    let subject = Subject(
      label: "claude", path: Samples.claude.program, file: nil,
      folder: ProgramFolder(path: folder, device: 1, inode: 2))
    return Samples.valueAlert(
      [Atom("files", "read", Samples.path("/srv/a"))], Capability.value("files"), subject, Samples.claude,
      at: Story.start, covers: [CoverOffer(nil, words: "this file")], AnswerHistory())
  }

  @Test("cannot paint a line that looks like a fact, however long it is", arguments: [40, 60, 76])
  func forged(width: Int) {
    for pad in stride(from: 0, to: 160, by: 5) {
      let folder = "/srv/\(String(repeating: "x", count: pad)) Name      \" root \""
      var story = Story(width: 100, height: 60)
      story.show(alert(folder))
      let lines: [String] =
        story.desk.form.map { form in
          let area = FormArea(rect: Rect(row: 0, column: 0, width: width + 6, height: 24), isLow: false)
          let text = FormText(desk: story.desk, form: form, area: area)
          return text.heading.map(\.text)
        } ?? []
      #expect(!lines.isEmpty)
      for line in lines.dropFirst() {
        #expect(line.hasPrefix("          ") || " asks to read a file".hasSuffix(line), "\(line)")
      }
      #expect(lines.allSatisfy { $0.count <= width + 1 })
    }
  }
}
