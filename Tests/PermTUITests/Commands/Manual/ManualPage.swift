import ProgramVersion

@testable import PermTUI

/// The manual page `permtui(1)`: the commands as the argument parser knows them, the keys from the key table, and the
/// hand-written parts.
enum ManualPage {
  static func render(_ program: CommandDescription, keys: [KeyBinding]) -> String {
    var page = Roff(
      title: "PERMTUI", section: 1, date: ManualText.date, source: "permtui \(Version.current)",
      manual: "User commands")
    page.section("Name")
    page.paragraphs("permtui - see and decide which programs may use what")
    page.section("Synopsis")
    page.synopsis(program)
    page.section("Description")
    page.paragraphs(ManualText.description)
    page.section("Protection and its limits")
    page.paragraphs(ManualText.protection)
    page.section("Options")
    for argument in program.shown { page.add(argument) }
    page.section("Commands")
    for command in program.commands { page.add(command, without: program.shown) }
    page.section("Keys")
    page.paragraphs(ManualText.keys)
    page.add(keys)
    page.section("Line by line")
    page.paragraphs(ManualText.plain)
    for word in PlainWord.allCases { page.item(Roff.bold(word.usage), word.help) }
    page.subsection("While an alert waits")
    for (word, meaning) in PlainWord.answers { page.item(Roff.bold(word), meaning) }
    page.section("Lifetimes")
    for (term, meaning) in ManualText.lifetimes { page.item(Roff.bold(term), meaning) }
    page.section("Exit status")
    for status in ExitStatus.allCases {
      page.item(Roff.bold(String(status.rawValue)), ManualText.meaning(status))
    }
    page.section("Environment")
    for (term, meaning) in ManualText.environment { page.item(Roff.bold(term), meaning) }
    page.section("Files")
    for (term, meaning) in ManualText.files { page.item(Roff.italic(term), meaning) }
    return page.text
  }
}

extension Roff {
  /// Adds the dashboard first, then the form of any command.
  fileprivate mutating func synopsis(_ program: CommandDescription) {
    let shared = program.shown.filter { !["help", "version"].contains($0.preferredName?.name) }
    let dashboard = program.commands.first { $0.commandName == program.defaultSubcommand }
    let own = dashboard?.shown.filter { !program.shown.contains($0) } ?? []
    let name = Roff.bold("permtui")
    usage(([name] + (shared + own).map(\.synopsis)).joined(separator: " "))
    usage(([name] + shared.map(\.synopsis) + [Roff.italic("command"), Roff.dots]).joined(separator: " "))
  }

  fileprivate mutating func add(_ command: CommandDescription, without shared: [CommandDescription.Argument])
  {
    let own = command.shown.filter { !shared.contains($0) }
    subsection(([Roff.bold("permtui \(command.commandName)")] + own.map(\.synopsis)).joined(separator: " "))
    paragraphs(command.abstract ?? "")
    paragraphs(command.discussion ?? "")
    for argument in own { add(argument) }
  }

  fileprivate mutating func add(_ argument: CommandDescription.Argument) {
    item(argument.term, argument.abstract ?? "")
  }

  /// Adds the keys of each place, in the order of the help.
  fileprivate mutating func add(_ bindings: [KeyBinding]) {
    for context in KeyContext.allCases {
      let here = bindings.filter { $0.contexts.contains(context) && !$0.keys.isEmpty }
      guard !here.isEmpty else { continue }
      subsection(Roff.escaped(context.title))
      for binding in here {
        item(binding.keys.map { Roff.bold("\($0)") }.joined(separator: ", "), binding.help)
      }
    }
  }
}

extension CommandDescription.Argument {
  /// Its form in the usage line, for example `[--for lifetime]`.
  fileprivate var synopsis: String {
    let dots = isRepeating ? " \(Roff.dots)" : ""
    let form: String
    switch kind {
    case .positional: form = Roff.italic(valueName)
    case .option: form = "\(Roff.bold(preferredName?.spelled ?? "")) \(Roff.italic(valueName))"
    case .flag: form = Roff.bold(preferredName?.spelled ?? "")
    }
    return isOptional ? "[\(form)\(dots)]" : form + dots
  }

  fileprivate var term: String {
    let spelled = (names ?? []).map { Roff.bold($0.spelled) }.joined(separator: ", ")
    switch kind {
    case .positional: return Roff.italic(valueName)
    case .option: return "\(spelled) \(Roff.italic(valueName))"
    case .flag: return spelled
    }
  }
}
