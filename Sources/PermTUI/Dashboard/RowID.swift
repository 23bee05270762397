import PermModel

/// Identifies a row of a list, so that the same row stays selected when other rows change.
enum RowID: Hashable, Sendable {
  case capability(String)
  /// The capabilities that this machine does not have, as a single row.
  case absent
  case program(Subject)
  case decision(DecisionRow.ID)
  /// The decisions for one program about many values of one capability.
  case group(DecisionNews.ID)
  /// A decision that was taken back elsewhere.
  case gone(DecisionNews.ID)
  /// A row of the desktop's permission store.
  case desktop(DesktopEntries.ID)
  case waiting(Alert.ID)
  /// The name of a program, and of its machine if that is another one, above the rows of its requests; `nil` above what
  /// comes from no program.
  case heading(Subject?, machine: String = "")
  /// The number of requests that wait on another machine, and are not listed here.
  case unlisted(machine: String)
  /// A command line that an agent asked for.
  case command(Subject, line: String)
  case operation(String)
  case journal(Int64)
  /// A row of a line of help, by the index of the line and that of the row among the line's rows.
  case line(Int, part: Int)

  /// Whether the row only says something about others, and cannot be selected.
  var isHeading: Bool {
    switch self {
    case .heading, .unlisted: true
    default: false
    }
  }
}
