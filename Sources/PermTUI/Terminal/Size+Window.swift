import Glibc

extension Size {
  /// The size that a terminal's window has now; `nil` if it does not tell.
  init?(ofWindow terminal: Int32) {
    var window = winsize()
    guard ioctl(terminal, UInt(TIOCGWINSZ), &window) == 0, window.ws_row > 0, window.ws_col > 0 else {
      return nil
    }
    self.init(width: Int(window.ws_col), height: Int(window.ws_row))
  }
}
