/// The keys of a context, made from the key table. A line that is too long for its column takes several rows.
struct HelpView: ScreenView {
  /// The number of blanks before the keys.
  private static let indent = 2
  /// The number of cells between the keys and what they do.
  private static let gap = 2

  /// The context of the view below.
  let place: KeyContext

  var context: KeyContext { .help }
  var orders: [SortOrder] { [.given] }

  func needs(in place: ViewPlace, on desk: Desk) -> StoreNeeds? { nil }
  func companion(in state: State) -> ScreenLayout.Companion { .none }
  func rowWidth(in state: State) -> Int { state.size.width }
  func emptyWords(in state: State) -> String { "" }

  func rows(in state: State) -> [RowID] {
    lines(state).enumerated().flatMap { number, line in
      parts(of: line, in: state).indices.map { RowID.line(number, part: $0) }
    }
  }

  func searchText(of row: RowID, in state: State) -> String? {
    guard case .line(let number, part: _) = row else { return nil }
    let line = lines(state)[number]
    return "\(line.keys) \(line.text)"
  }

  func table(in state: State) -> ViewTable {
    let columns = [
      Column(title: "Key", width: keyWidth(state.size.width), gap: Self.gap),
      Column(title: "What it does", width: 58, weight: 1),
    ]
    return ViewTable(columns: columns, adapts: false) { row in
      guard case .line(let number, let part) = row else { return nil }
      let line = lines(state)[number]
      if line.isHeading { return ListRow(text: TextLine.Span(line.text, .accent, bold: true)) }
      let parts = parts(of: line, in: state)
      guard parts.indices.contains(part) else { return nil }
      let keys = String(repeating: " ", count: Self.indent) + parts[part].keys
      return ListRow(cells: [TextLine.Span(keys, .accent), TextLine.Span(parts[part].text)])
    }
  }

  func openLabel(of row: RowID, in state: State) -> String? {
    command(of: row, in: state) == nil ? nil : "run"
  }

  func take(_ command: Command, in state: inout State) -> [Effect]? {
    guard command == .open else { return nil }
    guard let row = state.list.selection, let chosen = self.command(of: row, in: state) else {
      return state.desk.say("This line is no key of the view behind the help.")
    }
    return state.runFromHelp(chosen)
  }

  private func command(of row: RowID, in state: State) -> Command? {
    guard case .line(let number, part: _) = row else { return nil }
    return lines(state)[number].command
  }

  private func lines(_ state: State) -> [HelpLine] { state.desk.context.keys.helpLines(for: place) }

  /// Returns the width of the column with the keys, in cells, including the gap after it.
  private func keyWidth(_ width: Int) -> Int { width < LayoutWidth.narrow ? 13 : 18 }

  /// Returns the parts of a line, one for each of its rows.
  private func parts(of line: HelpLine, in state: State) -> [HelpLine] {
    guard !line.isHeading else { return [line] }
    let keyWidth = keyWidth(state.size.width)
    func wrap(_ text: String, to limit: Int) -> [String] {
      state.desk.typesetter.wrap(text, to: limit).map { $0.hasSuffix(" ") ? String($0.dropLast()) : $0 }
    }
    let keys = wrap(line.keys, to: keyWidth - Self.indent - Self.gap)
    let texts = wrap(line.text, to: state.size.width - ScreenLayout.rowIndent - 1 - keyWidth)
    return (0..<max(keys.count, texts.count)).map { place in
      HelpLine(
        keys: keys.indices.contains(place) ? keys[place] : "",
        text: texts.indices.contains(place) ? texts[place] : "")
    }
  }
}

extension Screen {
  static func help(_ place: KeyContext) -> Screen { Screen(HelpView(place: place)) }
}
