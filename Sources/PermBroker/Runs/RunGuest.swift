import PermModel

/// A process behind walls that asks over the socket `ask`. Its warden makes the connection, and says which process it is.
struct RunGuest: Hashable, Sendable {
  var process: WalledProcess
  /// The absolute path of the folder in which it works.
  var folder: String
}

/// The place of a process that asks, as far as runs are concerned.
enum RunPlace {
  /// The process belongs to no run.
  case outside
  /// The process belongs to a run.
  case inside(Runs.Run, RunGuest)
  /// A warden has connected without saying for which process, so nobody can be told who asks.
  case unknown
}

extension Runs.Run {
  /// Returns the program of the run, as this process of it asks.
  ///
  /// The broker looks into no process of a run, so values are looked up in the view of the broker itself, which is the
  /// person's.
  func seen(asking guest: RunGuest) -> IdentifiedProgram {
    var seen = seen
    (seen.evidence.walled, seen.evidence.workingDirectory) = (described(guest.process), guest.folder)
    return seen
  }

  /// Returns a process of the run, with what is known about the run by now.
  func described(_ process: WalledProcess) -> WalledProcess {
    WalledProcess(
      name: process.name, process: process.process, hasLeft: hasLeft, hasNativeFolder: hasNativeFolder)
  }
}

extension PeerWitness {
  /// Returns a witness that takes the words of wardens for who asks from behind their walls.
  func believing(_ runs: Runs) -> PeerWitness {
    PeerWitness(
      look: { [look] peer, withChain in
        switch runs.place(of: peer) {
        case .outside: look(peer, withChain)
        case .inside(let run, let guest): run.seen(asking: guest)
        case .unknown: nil
        }
      }, chain: chain)
  }
}
