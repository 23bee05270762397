extension ScreenPicture {
  /// Returns the screen as a drawing that looks right on light and on dark pages. Styles are those of a grid: the role
  /// of the colour, then the attributes.
  ///
  /// - Parameter title: The drawing's subject, for screen readers.
  public func svg(title: String) -> String {
    document(title: title, styles: Self.styles, cells)
  }

  /// Returns a drawing that shows screens of one size one after another, over and over. If the reader wants no motion, it
  /// shows the first.
  ///
  /// - Parameter frames: The screens, each with the time for which it is shown, in seconds.
  public static func animation(_ frames: [(screen: ScreenPicture, seconds: Double)], title: String) -> String
  {
    let whole = frames.reduce(0) { $0 + $1.seconds }
    var begin = 0.0
    var (lines, rules): ([String], [String]) = ([], [])
    for (index, frame) in frames.enumerated() {
      let (from, to) = (percent(begin, of: whole), percent(begin + frame.seconds, of: whole))
      let before = index == 0 ? "" : "0%{opacity:0}"
      let after = index == frames.count - 1 ? "" : "\(to)%,100%{opacity:0}"
      rules.append("@keyframes f\(index){\(before)\(from)%{opacity:1}\(after)}")
      rules.append(
        ".f\(index){opacity:\(index == 0 ? 1 : 0);animation:f\(index) \(whole)s step-end infinite}")
      lines += ["<g class=\"f\(index)\">"] + frame.screen.cells + ["</g>"]
      begin += frame.seconds
    }
    let calm = "@media(prefers-reduced-motion:reduce){g{animation:none!important}}"
    return frames.first?.screen.document(title: title, styles: styles + rules.joined() + calm, lines) ?? ""
  }

  /// Returns a share in percent, with two digits after the point.
  private static func percent(_ part: Double, of whole: Double) -> Double {
    (part / whole * 10_000).rounded() / 100
  }

  private var metrics: Metrics { Metrics(columns: rows.first?.count ?? 0, rows: rows.count) }

  private var cells: [String] {
    rows.enumerated().flatMap { index, row in
      Self.runs(of: row).flatMap { Self.draw($0, at: metrics.y(index), metrics) }
    }
  }

  private func document(title: String, styles: String, _ drawing: [String]) -> String {
    let lines =
      [
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(metrics.width) \(metrics.height)" role="img" \
        font-family="ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace" font-size="\(Metrics.fontSize)">
        """, "<title>\(Self.escaped(title))</title>", "<style>\(styles)</style>",
        "<rect class=\"screen\" width=\"\(metrics.width)\" height=\"\(metrics.height)\" rx=\"8\"/>",
      ] + drawing
    return lines.joined(separator: "\n") + "\n</svg>\n"
  }

  /// All sizes follow from the font: a cell is 0.6 of its size wide and 1.25 high.
  private struct Metrics {
    static let fontSize = 15
    static let cellWidth = 9
    static let cellHeight = 18
    static let margin = 12

    let columns: Int
    let rows: Int

    var width: Int { columns * Self.cellWidth + 2 * Self.margin }
    var height: Int { rows * Self.cellHeight + 2 * Self.margin }

    func x(_ column: Int) -> Int { Self.margin + column * Self.cellWidth }
    func y(_ row: Int) -> Int { Self.margin + row * Self.cellHeight }
  }

  private struct Run {
    var column: Int
    var width: Int
    var text: String
    var words: [Substring]

    var isReversed: Bool { words.contains("reverse") }
    var isBlank: Bool { text.allSatisfy { $0 == " " } }
  }

  /// Cells of one style side by side.
  private static func runs(of row: [Cell]) -> [Run] {
    var runs: [Run] = []
    var style: String?
    for (column, cell) in row.enumerated() {
      if cell.style == style, !runs.isEmpty {
        runs[runs.count - 1].width += 1
        runs[runs.count - 1].text += cell.text
      } else {
        runs.append(Run(column: column, width: 1, text: cell.text, words: cell.style.split(separator: " ")))
        style = cell.style
      }
    }
    return runs.filter { !$0.isBlank || $0.isReversed }
  }

  private static func draw(_ run: Run, at y: Int, _ metrics: Metrics) -> [String] {
    let (x, width) = (metrics.x(run.column), run.width * Metrics.cellWidth)
    let role = run.words.first.map(String.init).flatMap { roles.contains($0) ? $0 : nil } ?? "normal"
    let attributes = run.words.filter { $0 != "reverse" && !roles.contains(String($0)) }
    var lines: [String] = []
    if run.isReversed {
      lines.append(
        "<rect class=\"\(role)\" x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(Metrics.cellHeight)\"/>")
    }
    guard !run.isBlank else { return lines }
    let classes = ([run.isReversed ? "ground" : role] + attributes.map(String.init)).joined(separator: " ")
    // The length keeps columns in line whatever font the page uses.
    lines.append(
      """
      <text class="\(classes)" x="\(x)" y="\(y + 14)" textLength="\(width)" lengthAdjust="spacingAndGlyphs" \
      xml:space="preserve">\(escaped(run.text))</text>
      """)
    return lines
  }

  private static let roles = ["normal", "muted", "accent", "allowed", "denied", "attention"]

  private static let styles = """
    .screen,.ground{fill:#fbfbfa}.normal{fill:#24292f}.muted{fill:#767676}.accent{fill:#0087af}\
    .allowed{fill:#008700}.denied{fill:#d7005f}.attention{fill:#af5f00}.bold{font-weight:700}\
    .dim{opacity:.7}.underline{text-decoration:underline}\
    @media(prefers-color-scheme:dark){.screen,.ground{fill:#16181d}.normal{fill:#d8dee9}}
    """

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
  }
}
