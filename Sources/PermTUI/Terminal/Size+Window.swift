import Glibc

extension Size {
  /// Returns the present size of a terminal's window; `nil` if the terminal does not report it.
  init?(ofWindow terminal: Int32) {
    var window = winsize()
    guard ioctl(terminal, UInt(TIOCGWINSZ), &window) == 0, window.ws_row > 0, window.ws_col > 0 else {
      return nil
    }
    self.init(width: Int(window.ws_col), height: Int(window.ws_row))
  }
}
