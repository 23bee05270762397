import PermModel

/// The locale that the environment names for characters, and the variable that names it.
struct CharacterLocale: Hashable, Sendable {
  /// The variable that counts; `nil` if none is set.
  let variable: String?
  /// The name of the locale; `C` if no variable names one.
  let name: String

  /// The first of the variables that is set counts, as in the C library.
  init(environment: [String: String]) {
    variable = ["LC_ALL", "LC_CTYPE", "LANG"].first { environment[$0]?.isEmpty == false }
    name = variable.flatMap { environment[$0] } ?? "C"
  }

  /// The reason, in words, why only ASCII can be shown in a locale that is not UTF-8, and what helps.
  var objection: (problem: String, advice: String) {
    let result = "so everything else than ASCII is written out"
    guard let variable else {
      return ("no variable names a locale, \(result)", "Set LANG to a locale in UTF-8, for example C.UTF-8.")
    }
    guard isInstalled else {
      return (
        "the locale \(VisibleText.quoted(name)), which \(variable) names, is not installed, \(result)",
        "Set \(variable) to one that is there, for example C.UTF-8 (locale -a lists them), or install it."
      )
    }
    return (
      "the locale \(VisibleText.quoted(name)), which \(variable) names, is not UTF-8, \(result)",
      "Set \(variable) to a locale in UTF-8, for example C.UTF-8."
    )
  }
}
