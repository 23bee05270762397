import PermModel

/// A matrix of programs and capabilities, with one sign for each pair.
struct MatrixList {
  private static let nameWidths = 18...32
  private static let cellWidths = 9...15

  let state: State

  private var width: Int { state.layout.list.size.width - ListTable.indent - 1 }

  /// The width of each capability's column: an equal share of the space, within the limits of `cellWidths`.
  private var cellWidth: Int {
    let share = (width - Self.nameWidths.lowerBound) / max(1, state.desk.data.capabilities.count)
    return min(max(share, Self.cellWidths.lowerBound), Self.cellWidths.upperBound)
  }

  /// The indices of the capabilities that fit side by side. The selected capability is always among them.
  private var shown: Range<Int> {
    let room = width - Self.nameWidths.lowerBound
    let count = min(state.desk.data.capabilities.count, max(1, room / cellWidth))
    let first = min(max(0, state.matrixColumn - count + 1), state.desk.data.capabilities.count - count)
    return first..<first + count
  }

  var columns: [Column] {
    let places = shown
    let capabilities = places.map { place in
      let title = state.desk.visible(state.desk.data.capabilities[place].title)
      let isCut = place == places.first && place > 0
      let isMore = place == places.last && place < state.desk.data.capabilities.count - 1
      let text = "\(isCut ? "‹" : "")\(title)\(isMore ? "›" : "")"
      return Column(title: place == state.matrixColumn ? "[\(title)]" : text, width: cellWidth)
    }
    let nameWidth = min(width - places.count * cellWidth, Self.nameWidths.upperBound)
    return [Column(title: "Program", width: nameWidth)] + capabilities
  }

  func row(_ program: Subject) -> ListRow {
    let rows = state.desk.data.decisions(for: program)
    let cells = shown.map { place in
      sign(
        rows.filter { $0.capability == state.desk.data.capabilities[place].id },
        isSelected: place == state.matrixColumn)
    }
    let mark = rows.contains { state.desk.marks.unseen.contains($0.id.news) } ? "!" : " "
    return ListRow(mark: mark, cells: [TextLine.Span(state.desk.visible(program.name))] + cells)
  }

  private func sign(_ rows: [DecisionRow], isSelected: Bool) -> TextLine.Span {
    let verdicts = Set(rows.map(\.verdict))
    let (sign, role): (String, Style.Role) =
      switch (verdicts.contains(.allow), verdicts.contains(.deny)) {
      case (true, false): ("●", .allowed)
      case (false, true): ("✕", .denied)
      case (true, true): ("◐", .normal)
      case (false, false): ("·", .muted)
      }
    return TextLine.Span(isSelected ? "[\(sign)]" : " \(sign)", role, bold: isSelected)
  }
}
