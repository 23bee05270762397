/// Where calendars are kept: Evolution's folders and vdirs, one `.ics` file or one folder of them for each.
struct CalendarFolders {
  /// The folders that hold calendars, whether they exist or not.
  let roots: [String]
  private let files = FileSystem()

  init(_ environment: ProbeEnvironment) {
    let evolution = ["calendar", "tasks"].map { "\(environment.dataHome)/evolution/\($0)" }
    roots = evolution + environment.calendarFolders
  }

  /// The folders in which at least one `.ics` file lies.
  func calendars() -> [String] {
    roots.flatMap { root in
      ([root] + files.names(in: root).map { "\(root)/\($0)" }).filter { !calendarFiles(in: $0).isEmpty }
    }
  }

  /// The `.ics` files of one calendar, in order.
  func calendarFiles(in calendar: String) -> [String] {
    files.names(in: calendar).filter { $0.hasSuffix(".ics") }.map { "\(calendar)/\($0)" }
  }
}
