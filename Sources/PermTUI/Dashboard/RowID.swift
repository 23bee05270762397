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
  /// The name of a program above the rows of its requests; `nil` above what comes from no program.
  case heading(Subject?)
  /// A command line that an agent asked for.
  case command(Subject, line: String)
  case operation(String)
  case journal(Int64)
  /// A row of a line of help, by the index of the line and that of the row among the line's rows.
  case line(Int, part: Int)

  /// Whether the row only names those below it, and cannot be selected.
  var isHeading: Bool { if case .heading = self { true } else { false } }
}
