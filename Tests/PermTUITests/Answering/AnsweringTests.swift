import Testing

@testable import PermTUI

/// The same strokes in each place where a person answers, judged by a model that knows only their times.
@Suite("Strokes at an alert")
struct AnsweringTests {
  private static let held = (0..<40).map { " \(1260 + 33 * $0)y" }.joined()

  /// Times in milliseconds since the alert was painted, each with its strokes.
  static let scripts = [
    "0y", "499y", "500y", "200y 499y", "200y 500y 800y", "450y 749y", "450y 750y", "600y 700y",
    "600y 849y 1098y", "600y 620y 639y", "600y 633y 666y 699y 732y", "600y 700n", "600n 849y", "600n 850y",
    "600s 700y", "600s 850y", "600y 700s 1100n", "600x 1099y", "600x 1100y", "600x 1350y", "100x 599y 900n",
    "600r 1000y 1300y", "600y 700r 1200n", "600r 1100n", "500y 1249y 1549n", "500y 1250y",
    "500y 1000y 1500y 2000y 2500y", "600y" + held, "60600y 61099y 61400n", "60600y 61100n",
    "600x 700s 800y", "500n 600n 1500y", "2000x 2120y 2240n 2360y 3000y",
  ]

  @Test(
    "count in every place exactly where the model counts them", arguments: AnsweringPlace.allCases, scripts)
  func counts(place: AnsweringPlace, script: String) async {
    let judge = AnswerJudge(isByLine: place.isByLine, alerts: place.alerts)
    let moments = AnswerJudge.Moment.moments(script)
    #expect(await place.answers(to: moments) == judge.answers(to: moments))
  }

  @Test("count later for a person who wants it so", arguments: AnsweringPlace.allCases, [2, 5])
  func slow(place: AnsweringPlace, factor: Int) async {
    let judge = AnswerJudge(isByLine: place.isByLine, alerts: place.alerts, slow: Int64(factor))
    for script in Self.scripts {
      for scale in [1, Int64(factor)] {
        let moments = AnswerJudge.Moment.moments(script, slow: scale)
        #expect(await place.answers(to: moments, slow: factor) == judge.answers(to: moments), "\(script)")
      }
    }
  }

  @Test("are judged by a model that says both yes and no")
  func judge() {
    let answers = Self.scripts.map { script in
      AnswerJudge(isByLine: false, alerts: 2).answers(to: AnswerJudge.Moment.moments(script)).count
    }
    #expect(Set(answers) == [0, 1, 2])
  }
}
