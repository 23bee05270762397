import PermModel

/// The reason why nothing can be answered on another machine.
package enum MachineFault: Error, Hashable, Sendable {
  /// The machine was never trusted on this side.
  case notAdded
  /// The file in which it was noted as trusted cannot be read.
  case noPins(String)
  /// OpenSSH could not be started here.
  case noSSH(String)
  case unreachable(String)
  /// A connection was made, but no answer came in time.
  case silent(seconds: Int)
  case hostKeyChanged
  case notAuthorised(String)
  /// The login works, and `permtui` is not found there.
  case noProgram
  /// The bridge, or what ran in its place, ended before it answered.
  case ended(String)
  case otherVersion(String)
  case idChanged
  /// The machine is the same one as that with this name.
  case sameAs(String)
  /// The machine's broker is this machine's own.
  case thisMachine
  /// The machine's clock differs by more than a day.
  case clock(Duration)
  case nonsense(String)
  /// The broker there does not let this dashboard take part.
  case refused(String)
}

extension MachineFault: CustomStringConvertible {
  /// The end of a sentence that begins with the machine's name and says why nothing can be answered there. It is safe to
  /// print.
  package var description: String {
    switch self {
    case .notAdded: "was not added yet"
    case .noPins(let reason): "cannot be distinguished from another machine: \(reason)"
    case .noSSH(let reason): "cannot be reached, because ssh cannot be started: \(reason)"
    case .unreachable(let words): "is out of reach: \(words)"
    case .silent(let seconds): "has not answered within \(seconds) seconds"
    case .hostKeyChanged: "shows another host key than before, so it can be another machine"
    case .notAuthorised(let words): "does not let you in: \(words)"
    case .noProgram: "has no permtui in the path of a login"
    case .ended(let words): "has no bridge: \(words)"
    case .otherVersion(let version): "runs permtui \(version), which does not fit this version"
    case .idChanged: "has another id than before, so it can be another machine, user or store"
    case .sameAs(let name): "is the same as \(name)"
    case .thisMachine: "is the broker on this side, which a dashboard shows anyway"
    case .clock(let skew):
      "has a clock that is more than a day \(skew < .zero ? "slow" : "fast"), so no time it tells is certain"
    case .nonsense(let words): "does not answer as a bridge does: \(words)"
    case .refused(let words): "does not let you answer: \(words)"
    }
  }

  /// Returns a step that removes the reason, as one sentence without a full stop.
  ///
  /// - Parameter machine: The machine, as the person knows it.
  package func advice(_ machine: ConfiguredMachine) -> String {
    let (name, destination) = (machine.name.text, machine.destination.text)
    return switch self {
    case .noPins: "correct the file, or remove it and add the machines again"
    case .notAdded: "look at it and add it: permtui machine add \(name)"
    case .noSSH: "install OpenSSH's client"
    case .unreachable, .silent: "see what ssh says: ssh -v \(destination.shellQuoted)"
    case .hostKeyChanged, .idChanged:
      "if you know why, look at what changed and trust it: permtui machine trust \(name)"
    case .notAuthorised:
      "put your key into an agent (ssh-add), and its line into ~/.ssh/authorized_keys there; see docs/machines.md"
    case .noProgram: "install permtui there, or write its whole path into the line of authorized_keys"
    case .ended, .nonsense:
      "see what it says: ssh -T \(destination.shellQuoted) permtui bridge; a login script must print nothing"
    case .refused: "see docs/machines.md for the line in authorized_keys"
    case .otherVersion: "install the same version on both sides"
    case .sameAs(let other): "take one of \(name) and \(other) out of the configuration"
    case .thisMachine: "take [machines.\(name)] out of the configuration"
    case .clock: "set the clocks"
    }
  }

  /// A word for programs.
  package var word: String {
    switch self {
    case .notAdded: "not-added"
    case .noPins: "no-pins"
    case .noSSH: "no-ssh"
    case .unreachable: "unreachable"
    case .silent: "silent"
    case .hostKeyChanged: "host-key-changed"
    case .notAuthorised: "not-authorised"
    case .noProgram: "no-permtui"
    case .ended: "no-bridge"
    case .otherVersion: "other-version"
    case .idChanged: "id-changed"
    case .sameAs: "same-machine"
    case .thisMachine: "this-machine"
    case .clock: "clock"
    case .nonsense: "nonsense"
    case .refused: "refused"
    }
  }

  /// Whether the fault can go away without a person.
  package var isPassing: Bool {
    switch self {
    case .unreachable, .silent: true
    default: false
    }
  }
}
