/// The positions of everything on the screen. `update` uses the layout to scroll and `render` uses it to draw, so they
/// always agree.
struct ScreenLayout: Hashable, Sendable {
  /// The smallest screen width, in cells, that allows a table beside the list instead of below it.
  static let sideBySide = 160
  /// The smallest screen width that allows lines of details beside a list of the usual width.
  static let linesBeside = LayoutWidth.usual + narrowestLines
  /// The smallest screen width that allows the preview of a waiting request beside the list.
  static let previewBeside = 100
  /// The smallest width at which the list of waiting requests shows when each of them gives up. Beside or below a
  /// narrower list, the details of the selection show it.
  static let widthForEnds = 75
  /// The number of cells beside the lines of details, on both sides together.
  static let paneMargins = 4
  /// The number of cells before the text of a row of a list.
  static let rowIndent = 3
  /// The smallest width of a table beside the list, in cells. All columns of a list of decisions fit into it.
  private static let narrowestPane = 79
  /// The smallest width of lines of details beside the list, in cells.
  private static let narrowestLines = 52
  /// The screen height below which a form also takes the last row.
  private static let low = 15

  let size: Size
  /// The number of banner rows, which announce the demo and the panic. No view hides them.
  let bannerCount: Int
  /// The area of the list and its heading.
  let list: Rect
  /// The area for the details of the selection; `nil` if the view has none or there is not enough space.
  let pane: Rect?

  /// The position and size of the details that accompany a list.
  enum Companion: Hashable, Sendable {
    case none
    /// The list has space for at most this number of rows, and the details below take the rest of the height.
    case afterRows(Int)
    /// The details take at most this number of rows, and the list above takes the rest of the height.
    case rows(Int)
    /// Like `rows`, but the details are never beside the list, because the list needs the whole width of the screen.
    case rowsBelow(Int)
    /// Like `rows`, but a low screen has details too, because its list leaves out what the person must know.
    case essentialRows(Int)

    /// Returns the width of the details beside the list; `nil` if they are below it.
    fileprivate func width(beside width: Int) -> Int? {
      switch self {
      case .afterRows: width < sideBySide ? nil : max(narrowestPane, width * 2 / 5)
      case .rows: width < linesBeside ? nil : max(narrowestLines - 1, width * 2 / 5)
      case .essentialRows: width < previewBeside ? nil : width / 2
      case .none, .rowsBelow: nil
      }
    }
  }

  init(size: Size, bannerCount: Int, companion: Companion) {
    self.size = size
    self.bannerCount = bannerCount
    let top = bannerCount + 1
    let height = max(0, size.height - top - 2)
    let beside = companion.width(beside: size.width)
    let isWide = beside != nil
    let listWidth = size.width - (beside.map { $0 + 1 } ?? 0)
    let paneHeight = isWide ? height : Self.paneHeight(companion, of: height, isLow: size.height < Self.low)
    let listHeight = isWide ? height : height - paneHeight
    list = Rect(row: top, column: 0, width: listWidth, height: listHeight)
    if companion == .none || paneHeight < 3 {
      pane = nil
    } else if isWide {
      pane = Rect(row: top, column: listWidth + 1, width: size.width - listWidth - 1, height: height)
    } else {
      pane = Rect(row: top + listHeight, column: 0, width: size.width, height: paneHeight)
    }
  }

  private static func paneHeight(_ companion: Companion, of height: Int, isLow: Bool) -> Int {
    switch companion {
    case .essentialRows where isLow: return min(3, max(0, height - 3))
    case .none,
      _ where isLow:
      return 0
    case .afterRows(let rows):
      let rest = height - min(rows + 1, max(4, height * 3 / 5))
      return rest < 3 ? 0 : rest
    case .rows(let rows), .rowsBelow(let rows), .essentialRows(let rows):
      let most = min(rows, height * 2 / 5)
      return most < 3 ? 0 : most
    }
  }

  var headerRow: Int { bannerCount }
  var statusRow: Int { size.height - 2 }
  var barRow: Int { size.height - 1 }

  /// The number of list rows that fit below the list's heading.
  var rowCount: Int { max(0, list.size.height - 1) }

  /// The number of decisions that fit into the pane, below its title and column headings.
  var paneRowCount: Int { max(0, (pane?.size.height ?? 0) - 2) }

  /// The number of lines that fit into the pane, below its title.
  var detailsCount: Int { max(0, (pane?.size.height ?? 0) - 1) }

  /// Whether the screen has little vertical space.
  var isLow: Bool { size.height < Self.low }

  /// The area that a form can use: below the banners and the header, and above the last row, which names what is next.
  /// On a low screen, only the banners are more important than the form.
  var formArea: FormArea {
    let top = isLow ? bannerCount : bannerCount + 1
    let height = size.height - top - (isLow ? 0 : 1)
    return FormArea(rect: Rect(row: top, column: 0, width: size.width, height: max(0, height)), isLow: isLow)
  }
}

extension State {
  var layout: ScreenLayout {
    ScreenLayout(size: size, bannerCount: bannerCount, companion: screen.view.companion(in: self))
  }

  private var bannerCount: Int {
    (desk.context.isDemo ? 1 : 0) + (desk.data.panicSince == nil ? 0 : 1)
      + (desk.machineTrouble == nil ? 0 : 1)
  }

  var formLayout: FormLayout? {
    guard let form = desk.form else { return nil }
    let area = layout.formArea
    let text = FormText(desk: desk, form: form, area: area)
    if form.page != .facts {
      return FormLayout(area: area, lines: text.pageLines, isTall: true)
    }
    let (heading, facts) = (text.heading, text.facts)
    let (choices, consequences) = (text.choices, text.consequences)
    if area.fits(heading + facts, choices + consequences) {
      return FormLayout(area: area, heading: heading, lines: facts, fixed: choices + consequences)
    }
    let withoutGap = Array(facts.drop { $0 == TextLine() })
    if area.fits(heading + withoutGap, choices + consequences) {
      return FormLayout(area: area, heading: heading, lines: withoutGap, fixed: choices + consequences)
    }
    // On a small screen, the facts and consequences scroll between the heading and the choices. A heading of more than
    // two lines scrolls too, to leave enough space.
    let lines = withoutGap + consequences
    if heading.count > 2 { return FormLayout(area: area, lines: heading + lines, fixed: choices) }
    return FormLayout(area: area, heading: heading, lines: lines, fixed: choices)
  }
}
