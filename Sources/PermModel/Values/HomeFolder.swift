import Machine

/// The home folder of the user who runs this process. People see paths with `~` in its place; programs read whole paths.
package enum HomeFolder {
  package static let path = Paths.folder(Environment.variable("HOME")) ?? Users.homeFolder ?? "/"

  /// The path in the text form of scopes.
  package static let text = Scope.escaped(Array(path.utf8))

  /// Returns a path as people write it, with `~` in place of the home folder. If `~` is the name of a file at the start
  /// of the text, as it can be in what a process calls itself, the result begins with `./`.
  package static func shortened(_ text: String, home: String = path) -> String {
    if text.hasPrefix("~") { return "./" + text }
    // Strings can be equal even if their bytes differ, and such paths lead to different files.
    guard home.hasPrefix("/"), home != "/", text.utf8.starts(with: home.utf8) else { return text }
    let rest = text.utf8.dropFirst(home.utf8.count)
    guard rest.isEmpty || rest.first == UInt8(ascii: "/") else { return text }
    return "~" + String(decoding: rest, as: UTF8.self)
  }
}

extension Scope {
  /// The text form for people: the same as ``text``, but with `~` in place of the home folder.
  ///
  /// - Parameter home: The home folder, in the text form.
  package func shownText(home: String = HomeFolder.text) -> String {
    switch self {
    case .path, .folder: HomeFolder.shortened(text, home: home)
    case .any, .host, .domain, .command, .form, .lines, .start, .name, .names: text
    }
  }
}
