/// The reason why a text is not a value or a scope.
public enum ScopeError: Error, Hashable {
  case empty
  case tooLong(bytes: Int, most: Int)
  case containsNUL
  case notAbsolute
  /// A path that is not whole, in a Swift program. `meant` is the path that it would be from here.
  case relative(path: String, meant: String)
  case leadsUpwards
  /// The root is meant as a single entry. Its only text form means the root and everything below it.
  case rootAlone
  case unfinishedEscape
  case unknownEscape(Character)
  case notUTF8
  case host(text: String, HostFault)
  case tooWideDomain(String)
  /// Words before … that are not leading words of a command.
  case leadingWords(String)
  /// A pattern in the language of another tool.
  case pattern(ForeignPattern)
  /// A line with a hole that cannot be kept so.
  case hole(HoleFault)
  /// Several values were given at once, or none.
  case notOneValue

  /// The reason why a text is not a host.
  public enum HostFault: Error, Hashable {
    case sign(Unicode.Scalar)
    case letters
    case label(String)
    case address
    case zone
    case port
    case wildcard
    /// The text names a host, and a user, a scheme, a port or a path besides.
    case more(than: String)
  }
}

extension ScopeError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .empty: "the value is empty"
    case .tooLong(let bytes, let most): "the value has \(bytes) bytes; at most \(most) are allowed"
    case .containsNUL: "the value contains a NUL character"
    case .notAbsolute:
      "the path does not begin with /; write the whole path, or one that begins with ~/ or ./"
    case .relative(let path, let meant):
      "\"\(VisibleText.brief(path))\" is not a whole path; write \"\(VisibleText.brief(meant))\""
    case .leadsUpwards: "the path contains ..; write the path without it"
    case .rootAlone: "the folder / can only be meant with everything below it; write just /"
    case .unfinishedEscape: "the value ends in the middle of an escape; write \\\\ for a backslash"
    case .unknownEscape(let sign): "\\\(sign) is not an escape; write \\\\ for a backslash"
    case .notUTF8: "the value is not UTF-8; only paths may have other bytes"
    case .host(let text, let fault): "\"\(VisibleText.brief(text))\" is not a host: \(fault)"
    case .tooWideDomain(let text):
      "\"*.\(VisibleText.brief(text))\" is not a domain: it needs a name of at least two parts"
    case .pattern(let pattern): "\(pattern)"
    case .notOneValue:
      "give exactly one path, folder, host, domain, command, form, name or beginning of names"
    case .hole(let fault): "\(fault)"
    case .leadingWords(let text):
      """
      "\(VisibleText.brief(text)) …" is not the beginning of a command; before …, write a program without its folder, \
      and its first words, with single blanks and without quotation marks
      """
    }
  }
}

extension ScopeError.HostFault: CustomStringConvertible {
  public var description: String {
    switch self {
    case .sign(let scalar): "it contains U+\(String(scalar.value, radix: 16, uppercase: true))"
    case .letters: "write names in other alphabets in their ASCII form, which begins with xn--"
    case .label(let label):
      "the part \"\(VisibleText.brief(label))\" must have 1 to 63 characters, and no hyphen at its ends"
    case .address: "the address is not complete"
    case .zone: "an address with a zone belongs to one machine only"
    case .port: "the port must be a number from 1 to 65535"
    case .wildcard: "* may only stand alone, or before a dot at the beginning"
    case .more(let host): "it has more in it than a host; write \"\(host)\""
    }
  }
}
