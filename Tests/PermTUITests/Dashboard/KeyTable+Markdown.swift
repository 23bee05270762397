@testable import PermTUI

extension KeyTable {
  /// The commands in the README: those needed first, with related ones in one row.
  private static let firstCommands: [[Command]] = [
    [.down, .up, .open, .back], [.allow, .deny, .setAside], [.waiting], [.hold], [.find], [.forget],
    [.undo, .redo],
    [.matrix, .programs, .operations, .journal, .day], [.panic], [.help, .quit],
  ]

  /// The few rows of the table that the README shows.
  var shortMarkdown: String {
    let rows = Self.firstCommands.map { commands in
      let rows = commands.compactMap { command in
        bindings.first {
          $0.command == command && ($0.contexts.contains(.list) || $0.contexts.contains(.anywhere))
        }
          ?? bindings.first { $0.command == command && command.answers && $0.contexts.contains(.request) }
          ?? bindings.first { $0.command == command && !$0.contexts.contains(.request) }
      }
      let keys = rows.compactMap(\.keys.first).map { "`\($0)`" }.joined(separator: " ")
      return "| \(keys) | \(rows.count == 1 ? rows[0].help : rows.map(\.label).joined(separator: ", ")) |"
    }
    return "| key | what it does |\n| --- | --- |\n" + rows.joined(separator: "\n") + "\n"
  }

  private var signs: String {
    let lines = HelpLine.signs.map { "| `\($0.keys)` | \($0.text) |" }
    return "\n## Signs\n\n| sign | what it means |\n| --- | --- |\n" + lines.joined(separator: "\n") + "\n"
  }

  /// The table in the form of the documentation.
  var markdown: String {
    let sections = KeyContext.allCases.compactMap { context -> String? in
      let rows = bindings.filter { $0.contexts.contains(context) && !$0.help.isEmpty }
      guard !rows.isEmpty else { return nil }
      let lines = rows.map { row in
        let keys = row.keys.map { "`\($0)`" }.joined(separator: " ")
        return "| \(keys.replacing("|", with: "\\|")) | \(row.help) | `\(row.command.rawValue)` |"
      }
      return "## \(context.title)\n\n| key | what it does | name in `[keys]` |\n| --- | --- | --- |\n"
        + lines.joined(separator: "\n") + "\n"
    }
    return """
      # Keys

      Made from the program's own key table. `config.toml` can give a command other keys:

      ```toml
      [keys]
      undo = ["Z", "F2"]
      ```

      In an alert a key counts once the button lights up: half a second after all of it could be seen, and 0.3 seconds after
      the last input. Before that only `Esc`, the keys that scroll, help and `^C` do anything. A press counts if nothing
      follows it for a quarter of a second. The same key twice is one press; held down it has no effect, and neither have
      different keys together.


      """ + sections.joined(separator: "\n") + signs
  }
}
