import PermModel

// The word for the rows of the desktop's permission store.

extension PlainCommand {
  /// Lists the rows, or changes the one that is named.
  func desktop(_ dashboard: inout PlainDashboard) throws -> [String] {
    guard words.count > 1 else { return listing.desktop }
    guard words.count == 4, ["change", "remove"].contains(words[1]) else { throw usage(.desktop) }
    let entry = try entry(of: words[2], about: words[3])
    dashboard.change { words[1] == "change" ? $0.change(entry) : $0.remove(entry) }
    return []
  }

  /// Returns the row that is named. Throws an error unless it is exactly one.
  private func entry(of app: String, about thing: String) throws -> DesktopEntries.ID {
    let fitting = listing.desk.desktop.ids.filter { $0.isOf(app: app) && $0.isAbout(thing: thing) }
    guard let first = fitting.first else {
      throw Mistake(text: "The desktop has no row about \(visible(thing)) of \(visible(app)).")
    }
    if fitting.count == 1 { return first }
    guard let exact = fitting.first(where: { $0.place == thing }) else {
      let places = fitting.map { visible($0.place) }.joined(separator: ", ")
      throw Mistake(text: "\(visible(thing)) fits several rows; name one of \(places).")
    }
    return exact
  }
}

extension DesktopEntries.ID {
  /// Whether a typed name is that of the app. It may have `app:` before it, as in our decisions.
  func isOf(app name: String) -> Bool { name == appWords || name == "app:\(app)" }

  /// Whether a typed name is that of the thing, with or without its table.
  fileprivate func isAbout(thing name: String) -> Bool {
    [place, thing, "\(table)/\(thing)"].contains(name)
  }
}
