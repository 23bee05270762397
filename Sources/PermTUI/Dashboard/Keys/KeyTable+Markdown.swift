extension KeyTable {
  /// The table as the documentation has it.
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
      undo = ["z", "^Z"]
      ```


      """ + sections.joined(separator: "\n")
  }
}
