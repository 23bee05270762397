/// A context in which key bindings are valid. Several contexts can apply to the same screen.
enum KeyContext: String, CaseIterable, Sendable {
  case request, change, together, confirmation, notice, reading
  case capabilities, capability, programs, program, matrix, waiting, operations, journal, day, commands, help
  /// Every list of the dashboard.
  case list
  case anywhere

  /// The contexts in which a key is looked up while this is the current context. The most specific comes first.
  var contexts: [KeyContext] {
    switch self {
    case .request, .change, .together, .confirmation, .notice, .reading, .list: [self, .anywhere]
    case .anywhere: [self]
    default: [self, .list, .anywhere]
    }
  }

  /// The heading above the keys of this context in help and in the documentation.
  var title: String {
    switch self {
    case .request: "In a request"
    case .change: "When changing a decision"
    case .together: "When answering several requests"
    case .confirmation: "In a question"
    case .notice: "In a notice"
    case .reading: "Reading beside an alert"
    case .capability: "One capability"
    case .program: "One program"
    case .list: "In every list"
    case .anywhere: "Everywhere"
    default: rawValue.prefix(1).uppercased() + rawValue.dropFirst()
    }
  }
}
