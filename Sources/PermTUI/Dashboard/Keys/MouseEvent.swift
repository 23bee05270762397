/// The few deeds of the mouse that mean something.
enum MouseEvent: Hashable, Sendable {
  case wheelUp, wheelDown
  /// A press of the first button, at this cell.
  case click(Position)
}
