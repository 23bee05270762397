import PermModel
import TerminalTesting
import Testing

@testable import PermTUI

@Suite("An alert for several requests")
struct JoinedAlertTests {
  private func picture(_ change: (inout RequestAlert) -> Void) -> String {
    let alert = Samples.alert()
    guard case .request(var content) = alert.content else { return "" }
    change(&content)
    var story = Story(width: 100, height: 40)
    story.show(Alert(id: alert.id, content: .request(content)))
    return story.grid.picture.text
  }

  @Test("says how many there are, and from which processes")
  func company() {
    let text = picture {
      $0.joined = [5077, 5080].map { pid in
        JoinedRequest(id: Request.ID("\(pid)"), process: ProcessIdentity(pid: pid, startTime: 1))
      }
    }
    #expect(text.contains("3 times, by pids"))
    #expect(text.contains("5077 and 5080; the answer is for all of them"))
  }

  @Test("says how many others an answer answers that is kept")
  func reach() {
    #expect(!picture { _ in }.contains("Others"))
    #expect(
      picture { $0.reach = AnswerReach(allow: 7, deny: 7) }
        .contains("if it is kept, your answer answers 7 others that wait"))
    #expect(
      picture { $0.reach = AnswerReach(allow: 1, deny: 0) }
        .contains("if it is kept, a yes answers 1 other that waits, a no none"))
  }

  @Test("says it for a wider scope, too, even if an answer for exactly what is asked answers none")
  func reachOfScope() {
    func picture(_ reach: AnswerReach?) -> String {
      let alert = Samples.fileAlert()
      guard case .request(var content) = alert.content else { return "" }
      content.covers[1].reach = reach
      var story = Story(width: 100, height: 40)
      story.show(Alert(id: alert.id, content: .request(content)))
      #expect(!story.grid.picture.contains("Others"))
      story.strike("s")
      return story.grid.picture.text
    }
    #expect(!picture(AnswerReach()).contains("Others"))
    #expect(picture(AnswerReach(allow: 2, deny: 3)).contains("a yes answers 2 others that wait"))
    #expect(picture(nil).contains("your answer answers all others"))
  }
}
