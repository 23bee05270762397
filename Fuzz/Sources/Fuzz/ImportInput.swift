@testable import PermModel

/// The lines of a file that `permtui import` reads.
enum ImportInput {
  static func take(_ bytes: [UInt8]) {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    guard let decisions = try? DecisionLines.decode(lines) else { return }
    guard let written = try? DecisionLines.encode(decisions) else {
      fatalError("what was read cannot be written")
    }
    precondition((try? DecisionLines.decode(written)) == decisions, "what was written reads otherwise")
  }
}
