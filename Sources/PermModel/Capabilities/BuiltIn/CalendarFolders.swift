/// The places of calendars: Evolution's folders and vdirs, with one `.ics` file or a folder of them for each calendar.
struct CalendarFolders {
  /// The folders that hold calendars, whether they exist or not.
  let roots: [String]
  private let files = FileSystem()

  init(_ environment: ProbeEnvironment) {
    let evolution = ["calendar", "tasks"].map { "\(environment.dataHome)/evolution/\($0)" }
    roots = evolution + environment.calendarFolders
  }

  /// Returns the folders with at least one `.ics` file.
  func calendars() -> [String] {
    roots.flatMap { root in
      ([root] + files.names(in: root).map { "\(root)/\($0)" }).filter { !calendarFiles(in: $0).isEmpty }
    }
  }

  /// Returns the `.ics` files of one calendar, in order.
  func calendarFiles(in calendar: String) -> [String] {
    files.names(in: calendar).filter { $0.hasSuffix(".ics") }.map { "\(calendar)/\($0)" }
  }
}
