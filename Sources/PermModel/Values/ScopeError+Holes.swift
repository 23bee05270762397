extension ScopeError {
  /// The reason why a line cannot have a hole.
  public enum HoleFault: Error, Hashable {
    case unknown(String)
    case list(String)
    case none, uncertain, program, subcommand, option, adjacent, textInWord, way, host, address
  }
}

extension ScopeError.HoleFault: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknown(let text):
      """
      there is no hole {\(VisibleText.brief(text))}; the holes are {word}, {name}, {number}, {file}, {text} and \
      {one|other}; write \\{ for a brace
      """
    case .list(let text):
      "in {\(VisibleText.brief(text))}, each word must have a letter, no hyphen before it and no slash at its end"
    case .none: "the line has no hole"
    case .uncertain:
      "a line with holes must be a single command of plain words, and of words in quotation marks"
    case .program: "a hole cannot stand for the program"
    case .subcommand:
      "a hole cannot stand for what the program does, the word behind its name; write a line for each"
    case .option:
      "a hole cannot be a part of an option such as -x; write a blank between the two, or --option=HOLE"
    case .adjacent: "two holes cannot stand side by side"
    case .textInWord: "{text} must be a word by itself"
    case .way: "a word with a hole cannot have .., @, ~ or = in it; it could lead anywhere"
    case .host:
      "a hole cannot stand for a host; write the address up to the first slash, with {number} for the port at most"
    case .address:
      "a hole cannot stand where the program takes an address; write the host, as in https://host/{name}"
    }
  }
}
