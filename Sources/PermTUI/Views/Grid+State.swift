extension Grid {
  /// Creates a grid of this size with the dashboard drawn into it. The same state and size always give the same grid.
  init(showing state: borrowing State, size: Size) {
    self.init(size: size, measure: state.desk.context.measure)
    if state.size == size {
      show(state)
    } else {
      var resized = copy state
      resized.size = size
      show(resized)
    }
  }

  private mutating func show(_ state: State) {
    if state.isTooSmall {
      drawTooSmall(state)
    } else {
      draw(state)
    }
  }

  private mutating func draw(_ state: State) {
    let layout = state.layout
    Header(state: state).draw(into: &self)
    ListView(state: state).draw(into: &self)
    if let pane = layout.pane { PaneView(state: state, frame: pane).draw(into: &self) }
    StatusLine(state: state).draw(into: &self)
    put(
      KeyBar(state: state, width: size.width - 2).line, at: Position(row: layout.barRow, column: 1),
      length: size.width - 2)
    guard let form = state.desk.form, let formLayout = state.formLayout else { return }
    // Everything behind the form is dimmed, because it cannot be used now. The banners and the header with
    // the counts are not dimmed, because they stay valid.
    restyle(Rect(row: layout.headerRow + 1, column: 0, width: size.width, height: size.height)) { style in
      style = Style(.muted, dim: true)
    }
    fill(Rect(row: layout.barRow, column: 0, width: size.width, height: 1))
    FormView(state: state, form: form, layout: formLayout).draw(into: &self)
  }

  /// Draws one line that states the required size. No alert comes up while the screen is too small.
  private mutating func drawTooSmall(_ state: State) {
    let need = "\(State.smallest.width)×\(State.smallest.height)"
    let waiting = state.desk.waitingCount > 0 ? ", \(state.desk.waitingCount) waiting" : ""
    let words = [
      "Too small: \(size.width)×\(size.height), needs \(need)\(waiting)",
      "Too small: needs \(need)\(waiting)",
      "needs \(need)",
    ]
    let text = words.first { measure.width(of: $0) <= size.width } ?? "…"
    let column = max(0, (size.width - measure.width(of: text)) / 2)
    put(text, at: Position(row: size.height / 2, column: column))
  }
}
