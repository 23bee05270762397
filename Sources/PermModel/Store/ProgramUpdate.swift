import Machine

/// The update of an agent that is known by a link: what was decided about its earlier files, in the folder in which the new
/// one works.
package struct ProgramUpdate: Hashable, Sendable {
  /// The program with its new file.
  package let subject: Subject
  /// The link that leads to the new file.
  package let link: String
  /// The decisions about the earlier files.
  package let decisions: [Decision]

  /// The program with its earlier files.
  package var earlier: Set<Subject> { Set(decisions.map(\.subject)) }

  /// The part whose allow carries the decisions over; one that is kept does so at later updates of the link, too.
  package var atom: Atom { Atom("code", "update", .name(link)) }

  /// The change of the file's name, for example `2.1.201 → 2.1.278`.
  package var change: String {
    let names = Set(earlier.compactMap { $0.path?.lastPathPart }).sorted()
    return "\(names.joined(separator: ", ")) → \(subject.path?.lastPathPart ?? subject.label)"
  }
}

extension KnownLinks {
  /// Returns a known link that leads to a file now; `nil` if there is none.
  fileprivate func link(to path: String) -> String? { paths.first { Paths.resolved($0) == path } }

  /// Whether the decisions about an earlier file could be carried over to an agent.
  fileprivate func isUpdate(_ subject: Subject, of other: Subject) -> Bool {
    guard let path = subject.path, let earlier = other.path, other.sandbox == nil,
      other.folder == nil || other.folder == subject.folder, !subject.isSameProgram(as: other)
    else { return false }
    return isReplacement(path, of: earlier)
  }
}

extension PermissionStore {
  /// Returns the update by which an agent got the file that asks; `nil` if nothing is decided about an earlier one.
  package func update(to subject: Subject) throws(StoreError) -> ProgramUpdate? {
    guard let path = subject.path, let folder = subject.folder, folder != .unknown, subject.sandbox == nil
    else { return nil }
    let links = knownLinks
    guard let link = links.link(to: path) else { return nil }
    let others = try subjects(named: subject.label).filter { links.isUpdate(subject, of: $0) }
    guard !others.isEmpty else { return nil }
    var filter = DecisionFilter()
    filter.subjects = Set(others)
    let decisions = try decisions(filter)
    return decisions.isEmpty ? nil : ProgramUpdate(subject: subject, link: link, decisions: decisions)
  }

  /// Makes the decisions about an agent's earlier files those about its new one, in one change that can be undone.
  package func carryOver(_ update: ProgramUpdate, by origin: Origin) throws(StoreError) {
    let moment = environment.now()
    try write { rows in try rows.carryOver(update, by: origin, at: moment) }
  }
}

extension StoreRows {
  fileprivate func carryOver(_ update: ProgramUpdate, by origin: Origin, at moment: Moment) throws {
    var id: DecisionChange.ID?
    for seen in update.decisions {
      // It can have answered another request meanwhile. If anything else about it has changed, it is left as it is.
      guard let before = try decision(seen.key), before.saysTheSame(as: seen), before.isInForce(at: moment)
      else { continue }
      id = try change(.forgotten, DecisionStep(before: before, origin: origin, at: moment.wall), in: id)
      var after = before
      after.subject = update.subject
      after.subject.folder = before.subject.folder
      // A decision that was made about the new file stays in place of the old one.
      guard try decision(after.key) == nil else { continue }
      id = try change(
        .decided, DecisionStep(before: nil, after: after, origin: origin, at: moment.wall), in: id)
    }
  }
}
