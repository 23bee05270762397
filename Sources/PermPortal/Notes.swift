import Machine
import PermModel

/// Lines for the person on standard error, which the journal of the user's services keeps.
enum Notes {
  static func note(_ text: String) {
    // A name can hold sequences that a terminal obeys.
    WholeWrite.write(Array("permtui-portal: \(VisibleText.escaped(text))\n".utf8), to: StandardStream.error)
  }
}
