import PermModel

// The programs and capabilities that calls name.

extension Broker {
  func descriptor(of capability: String) throws(BrokerError) -> CapabilityDescriptor {
    guard let descriptor = settings.catalogue[capability] else {
      throw .unknownCapability(reason: capability)
    }
    return descriptor
  }

  /// Returns the judge of a program's use of a capability.
  func judge(of subject: Subject, _ capability: String) throws(BrokerError) -> Judge {
    Judge(of: subject, try descriptor(of: capability).definition, under: settings.policy)
  }

  /// Returns the program at the other end of the connection, and the subject that stands for the program in the store.
  ///
  /// - Parameter isInFolder: Whether the program asks as an agent in its folder. A program that has done so before is
  ///   always treated as one, because it could otherwise evade its folder's denials.
  func asker(
    at peer: Peer, label: String?, isInFolder: Bool, withChain: Bool = true
  ) throws -> (IdentifiedProgram, Subject) {
    guard var seen = witness.program(behind: peer, withChain: withChain) else {
      throw BrokerError.disconnected
    }
    if case .inside(let run, _) = runs.place(of: peer) {
      return (seen, insider(of: run, isInFolder: isInFolder))
    }
    var subject = seen.subject(label: label)
    // The folder is remembered even if it does not count now, because the process could go elsewhere before it does.
    let folder = folders.folder(of: seen.evidence.process)
    if try isInFolder || folders.isAgent(subject) || store.isAgent(subject) {
      subject.folder = folder ?? .unknown
      if folder == nil { seen.evidence.doubt = seen.evidence.doubt ?? Self.unknownFolder }
    }
    try check(label: subject.label, of: seen)
    if subject.folder != nil { folders.noteAgent(subject, process: seen.evidence.process) }
    return (seen, subject)
  }

  /// Checks that a program can have a name.
  func check(label: String, of seen: IdentifiedProgram) throws(BrokerError) {
    try ForeignText.checked("label") { try ForeignText.check(name: label) }
    guard label == seen.address || !Subject.isVouchedForm(label) else {
      throw .invalid(
        parameter: "label", reason: "a name of this form is kept for programs that another one vouches for")
    }
  }

  private static let unknownFolder = "the folder in which it works cannot be determined"

  /// Whether the same program is still at the other end of the connection.
  func isSame(_ seen: IdentifiedProgram, at peer: Peer) -> Bool {
    witness.program(behind: peer, withChain: false)?.isSame(as: seen) ?? false
  }
}
