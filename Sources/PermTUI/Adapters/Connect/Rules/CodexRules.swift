/// The rules about commands in a file of Codex: calls of `prefix_rule`. Everything else in the file is skipped.
struct CodexRules: Sendable {
  struct Rule: Hashable, Sendable {
    /// The first words of the command; `nil` if they are not plain texts.
    var words: [String]?
    /// `allow`, `prompt` or `forbidden`.
    var decision: String
  }

  let rules: [Rule]

  init(_ text: String) {
    var rules: [Rule] = []
    var rest = text[...]
    while let call = rest.firstRange(of: "prefix_rule(") {
      rest = rest[call.upperBound...]
      let arguments = Self.arguments(&rest)
      rules.append(Rule(words: Self.words(arguments), decision: Self.text("decision", arguments) ?? "allow"))
    }
    self.rules = rules
  }

  /// Takes the text up to the bracket that ends a call.
  private static func arguments(_ rest: inout Substring) -> Substring {
    let whole = rest
    var (depth, isQuoted) = (0, false)
    for place in whole.indices {
      switch whole[place] {
      case "\"": isQuoted.toggle()
      case "(" where !isQuoted: depth += 1
      case ")" where !isQuoted && depth == 0:
        rest = whole[place...].dropFirst()
        return whole[..<place]
      case ")" where !isQuoted: depth -= 1
      default: break
      }
    }
    rest = ""
    return whole
  }

  /// Returns what follows the name of an argument and its equals sign.
  private static func value(_ name: String, _ arguments: Substring) -> Substring? {
    guard let found = arguments.firstRange(of: name) else { return nil }
    let rest = arguments[found.upperBound...].drop(while: \.isWhitespace)
    return rest.first == "=" ? rest.dropFirst().drop(while: \.isWhitespace) : nil
  }

  private static func text(_ name: String, _ arguments: Substring) -> String? {
    guard let value = value(name, arguments), value.first == "\"",
      let end = value.dropFirst().firstIndex(of: "\"")
    else { return nil }
    return String(value.dropFirst()[..<end])
  }

  private static func words(_ arguments: Substring) -> [String]? {
    guard let value = value("pattern", arguments), value.first == "[", let end = value.firstIndex(of: "]")
    else {
      return nil
    }
    let items = value.dropFirst()[..<end].split(separator: ",").map { $0.filter { !$0.isWhitespace } }
    let words = items.filter { !$0.isEmpty }.compactMap { item -> String? in
      guard item.count > 2, item.first == "\"", item.last == "\"", !item.contains("\\") else { return nil }
      return String(item.dropFirst().dropLast())
    }
    return words.isEmpty || words.count < items.count(where: { !$0.isEmpty }) ? nil : words
  }
}
