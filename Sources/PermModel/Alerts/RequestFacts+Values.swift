extension RequestFacts {
  /// The atoms that are asked for, or the chosen ones among them, in a fixed order.
  var asked: [Atom] {
    alert.choices.indices.contains(choice) ? alert.choices[choice].atoms.sorted() : []
  }

  /// The values that are asked for, the details, and the scope that an answer covers; empty if no values are asked for.
  var values: [Fact] {
    let valued = asked.filter { $0.scope != .any }
    let hasParts = Set(valued.map(\.name)).count > 1
    let about = valued.flatMap { lines(of: $0, isNamed: hasParts) + facts(about: $0) }
    return about + [elsewhere, noForm].compactMap(\.self) + details + covers(valued)
  }

  // MARK: Values

  /// - Parameter isNamed: Whether the part's name is shown too, because values of several parts are asked for.
  private func lines(of atom: Atom, isNamed: Bool) -> [Fact] {
    let prefix = isNamed ? "\(visible(atom.name)): " : ""
    let heading = atom.valueHeading
    guard case .command(let line) = atom.scope else {
      return [Fact(heading: heading, text: prefix + shown(atom.scope), look: .value)]
    }
    let facts = request.facts
    let dangers = Dangers(in: line, project: facts.project, proxied: facts.proxied ?? []).words.map(visible)
    return numbered(heading, Self.lines(of: line), end: true).map { fact in
      var fact = fact
      (fact.look, fact.dangers) = (.value, dangers)
      return fact
    }
  }

  private func shown(_ scope: Scope) -> String {
    switch scope {
    case .path(let path): text(path)
    case .folder(let path): text(path) + (path == .root ? "" : "/")
    case .name(let name): visible(name)
    case .host(let host, _), .domain(let host): scope.text + (host.decoded.map { " (\(visible($0)))" } ?? "")
    case .command(let line): visible(line)
    case .any, .form, .lines, .start, .names: scope.words
    }
  }

  /// Returns a path in which every byte can be seen.
  private func text(_ path: AbsolutePath) -> String {
    shortened(path).map(visible) ?? Scope.path(path).shownText()
  }

  /// Returns a fact for each line of a text. Numbers show where a line begins, because a long line is broken.
  private func numbered(_ heading: String, _ lines: [String], end: Bool) -> [Fact] {
    lines.enumerated().map { index, line in
      var fact = Fact(heading: heading, text: visible(line), place: (index + 1, lines.count))
      if end, lines.count > 1, index == lines.count - 1 {
        fact.note = ("end, \(lines.count) of \(lines.count)", .normal)
      }
      return fact
    }
  }

  /// Returns a path with `~` in place of the home folder; `nil` if it contains bytes that are not text.
  private func shortened(_ path: AbsolutePath) -> String? {
    String(validating: path.bytes, as: UTF8.self).map { HomeFolder.shortened($0) }
  }

  /// Returns the lines of a text. Only a line feed ends a line; a final one begins no further line.
  static func lines(of text: String) -> [String] {
    var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
    return lines.map { String($0) }
  }

  // MARK: Facts about paths

  /// Returns the facts about the path of an atom. If the file was asked for under several names, each of them is shown.
  func facts(about atom: Atom, withDoubt: Bool = true) -> [Fact] {
    let paths = request.facts.paths.filter { $0.scope == atom.scope }
    let names = paths.compactMap { path in path.spelling.map { spelling(of: $0, path) } }
    let links = Fact(heading: "", text: "The file has several names (hard links).", role: .attention)
    let doubts = withDoubt ? Set(paths.compactMap(\.doubt)).sorted() : []
    return names + (paths.contains { $0.file != nil } ? [links] : [])
      + doubts.map { Fact(heading: "Doubt", text: visible($0), role: .bad) }
  }

  private func spelling(of spelling: Scope, _ path: PathFact) -> Fact {
    let text = path.written.map { quoted(HomeFolder.shortened($0)) } ?? quotedPath(spelling)
    var fact = Fact(heading: "Asked as", text: text)
    let leadsOut = request.facts.project.map { $0.covers(spelling) && !$0.covers(path.scope) } ?? false
    fact.note = leadsOut ? ("a link leads out of the project", .attention) : ("a link", .muted)
    return fact
  }

  private func quotedPath(_ scope: Scope) -> String {
    if case .path(let path) = scope, let text = shortened(path) { return quoted(text) }
    return "\" \(scope.shownText()) \""
  }

  private var elsewhere: Fact? {
    guard request.facts.isElsewhere else { return nil }
    let folder = request.evidence?.workingDirectory.map(visiblePath) ?? "another folder"
    return Fact(
      heading: "In", text: folder, role: .attention, note: ("not the folder of the agent", .attention))
  }

  private var noForm: Fact? {
    // If a kept form has no effect, the alert says why with that.
    guard let reason = request.facts.formsReason, alert.restingAllow?.hasSuffix(reason) != true else {
      return nil
    }
    return Fact(heading: "", text: "only this exact line can be kept: \(visible(reason))", role: .muted)
  }

  // MARK: Details and scope

  private var details: [Fact] {
    guard let details = request.details else { return [] }
    let isWhole = details.linesLeftOut == 0
    let texts = Self.lines(of: details.text)
    var lines = numbered("Details", texts, end: isWhole)
    if request.capability == "files" {
      for (index, text) in texts.enumerated() { lines[index].look = Self.look(ofChange: text) }
    }
    guard !isWhole else { return lines }
    let left = details.linesLeftOut == 1 ? "1 line that is" : "\(details.linesLeftOut) lines that are"
    return lines + [Fact(heading: "", text: "and \(left) not shown", role: .attention)]
  }

  /// Returns the kind of a line of a change to a file.
  private static func look(ofChange line: String) -> Look {
    if ["*** ", "@@", "diff --git "].contains(where: line.hasPrefix) { return .title }
    return line.hasPrefix("+") ? .added : line.hasPrefix("-") ? .removed : .words
  }

  private func covers(_ valued: [Atom]) -> [Fact] {
    guard !valued.isEmpty, alert.covers.indices.contains(cover) else { return [] }
    var fact = Fact(heading: "Covers", text: visible(alert.covers[cover].words))
    let next = cover + 1
    fact.wider = alert.covers.indices.contains(next) ? visible(alert.covers[next].words) : nil
    return [fact]
  }
}

extension Atom {
  /// The heading above the atom's value in an alert.
  fileprivate var valueHeading: String {
    switch scope {
    case .path: capability == "code" ? "Library" : "File"
    case .folder: "Folder"
    case .host, .domain: "Host"
    case .command, .form, .lines, .start: "Command"
    // "Name" is the heading above the program's own name.
    case .any, .name, .names: Self.nameHeadings[capability] ?? "Value"
    }
  }

  private static let nameHeadings = [
    "cloud": "Container", "environment": "Variable", "keys": "Key", "system": "Fact", "tools": "Tool",
  ]
}
