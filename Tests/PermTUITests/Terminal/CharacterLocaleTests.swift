import Testing

@testable import PermTUI

@Suite("The locale of characters")
struct CharacterLocaleTests {
  @Test("The first variable that is set counts, and an empty one is not set")
  func variables() {
    let all = ["LC_ALL": "C", "LC_CTYPE": "C.UTF-8", "LANG": "xx_XX.UTF-8"]
    #expect(CharacterLocale(environment: all).variable == "LC_ALL")
    #expect(CharacterLocale(environment: all.merging(["LC_ALL": ""]) { $1 }).name == "C.UTF-8")
    #expect(CharacterLocale(environment: ["LANG": "xx_XX.UTF-8"]).variable == "LANG")
    #expect(CharacterLocale(environment: [:]).name == "C")
  }

  @Test(
    "The advice names the variable that counts, and says if the locale is not installed",
    arguments: [
      ([:], "no variable names a locale", "Set LANG to"),
      (["LC_ALL": "C"], "\"C\", which LC_ALL names, is not UTF-8", "Set LC_ALL to a locale in UTF-8"),
      (
        ["LC_CTYPE": "xx_XX.UTF-8", "LANG": "C.UTF-8"],
        "\"xx_XX.UTF-8\", which LC_CTYPE names, is not installed", "Set LC_CTYPE to one that is there"
      ),
    ])
  func advice(environment: [String: String], problem: String, advice: String) {
    let objection = CharacterLocale(environment: environment).objection
    #expect(objection.problem.contains(problem))
    #expect(objection.advice.hasPrefix(advice))
  }
}
