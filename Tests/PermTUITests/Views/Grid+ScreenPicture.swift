import TerminalTesting

@testable import PermTUI

extension Grid {
  /// The grid in the form of goldens.
  var picture: ScreenPicture {
    let rows = (0..<size.height).map { row in
      self.row(row).map { cell in
        ScreenPicture.Cell(
          text: cell.isContinuation ? "" : String(cell.character), style: cell.style.description)
      }
    }
    let cursor = cursor.map {
      ScreenPicture.Cursor(row: $0.position.row, column: $0.position.column, isVisible: $0.isVisible)
    }
    return ScreenPicture(rows: rows, cursor: cursor)
  }
}
