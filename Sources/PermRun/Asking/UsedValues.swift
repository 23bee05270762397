import Machine
import PermModel

/// The files of the person and the hosts that the run has used so far, for the person who is asked about another one.
final class UsedValues: Sendable {
  private struct State {
    var all: Set<String> = []
    /// The newest last.
    var latest: [String] = []
  }

  private static let mostShown = 5
  /// The number of values from which further ones are not told apart.
  private static let mostCounted = 10_000

  private let state = Lock(State())

  func note(_ atom: Atom) {
    let text = "\(atom.name) \(atom.scope.text)"
    state.withLock { state in
      guard state.all.count < Self.mostCounted, state.all.insert(text).inserted else { return }
      state.latest = (state.latest + [text]).suffix(Self.mostShown)
    }
  }

  /// What is known; `nil` if nothing was used.
  var use: RunUse? {
    state.withLock { state in
      state.all.isEmpty ? nil : RunUse(count: state.all.count, latest: state.latest.reversed())
    }
  }
}
