import TerminalTesting

@testable import PermTUI

extension Grid {
  /// The grid in the form of goldens.
  var picture: ScreenPicture {
    let rows = (0..<size.height).map { row in
      self.row(row).map { cell in
        ScreenPicture.Cell(
          text: cell.isContinuation ? "" : String(cell.glyph.character), style: cell.style.words)
      }
    }
    let cursor = cursor.map {
      ScreenPicture.Cursor(row: $0.position.row, column: $0.position.column, isVisible: $0.isVisible)
    }
    return ScreenPicture(rows: rows, cursor: cursor)
  }
}

extension Glyph {
  var character: Character {
    var scalars = String.UnicodeScalarView()
    forEachScalar { scalars.append($0) }
    return Character(String(scalars))
  }
}

extension Style {
  /// The words that golden screens use: the role, then the attributes.
  var words: String {
    var all = role == .normal ? [] : ["\(role)"]
    if bold { all.append("bold") }
    if dim { all.append("dim") }
    if reverse { all.append("reverse") }
    if underline { all.append("underline") }
    return all.joined(separator: " ")
  }
}
