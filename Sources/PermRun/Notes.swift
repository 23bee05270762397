import CFuse
import PermModel

/// Lines about what the warden does, for the person: what is asked, and what was refused or taken back and why.
struct Notes: Sendable {
  /// The descriptor to which the lines are written.
  let descriptor: Int32

  func note(_ text: String) {
    // A name can hold sequences that a terminal obeys.
    // A terminal whose keys the warden has taken does not begin a line by itself.
    let end = isatty(descriptor) == 1 ? "\r\n" : "\n"
    let line = Array("permtui-run: \(VisibleText.escaped(text))\(end)".utf8)
    _ = write(descriptor, line, line.count)
  }
}
