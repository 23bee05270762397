import PermBroker
import PermModel
import Testing

@testable import PermTUI

@Suite("Walking through everything that waits, line by line")
struct PlainRoundTests {
  private let curl = Samples.request("curl", "photos", Samples.today(14, 3))
  private let report = Samples.request("report.py", "photos", Samples.today(13, 58))

  private func story(_ requests: [Request]) -> PlainStory {
    var story = PlainStory(data: Samples.loaded(waiting: requests), isRound: true)
    story.happen(.changed(Samples.loaded(waiting: requests)))
    story.wait(1_200)
    return story
  }

  @Test("shows one request after the other, and ends when the last one is answered")
  func ends() {
    var story = story([curl, report])
    #expect(story.takePaper().contains("Name: \"curl\""))
    story.enter("deny")
    story.wait(1_200)
    #expect(story.takePaper().contains("Name: \"report.py\""))
    story.enter("allow")
    let answers = story.takeEffects().compactMap { effect -> Alert.ID? in
      if case .answer(let id, _, _) = effect { id } else { nil }
    }
    #expect(answers.map(\.text) == [curl.id.text, report.id.text])
    #expect(story.exitCode == nil)
    story.happen(.changed(Samples.loaded(waiting: [])))
    #expect(story.exitCode == 0)
  }

  @Test("passes over what is left for later, and ends after the last one")
  func later() {
    var story = story([curl, report])
    story.enter("later")
    story.wait(1_200)
    #expect(story.takePaper().contains("Name: \"report.py\""))
    story.enter("later")
    #expect(story.exitCode == 0)
    #expect(story.takeEffects().allSatisfy { if case .answer = $0 { false } else { true } })
  }

  @Test("ends with the input, and answers nothing")
  func left() {
    var story = story([curl])
    story.press(.control("d"))
    #expect(story.exitCode == 0)
    #expect(story.takeEffects().allSatisfy { if case .answer = $0 { false } else { true } })
  }
}
