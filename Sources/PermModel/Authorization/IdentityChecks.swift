/// The identity checks of the programs that wait. Each is kept for as long as the journal says nothing that could change it,
/// because one takes several look-ups, and a thousand programs might wait.
package struct IdentityChecks: Sendable {
  private var checks: [Subject: IdentityCheck] = [:]

  package init() {}

  package subscript(_ subject: Subject) -> IdentityCheck? { checks[subject] }

  /// Checks the programs of requests. Others are forgotten as soon as there are more checks than requests.
  ///
  /// - Parameter entries: What was journalled since the last call.
  package mutating func check(
    _ requests: some Collection<Request>, after entries: [JournalEntry], in store: any PermissionStore
  ) throws(StoreError) {
    if let isChanged = Self.change(by: entries) { checks = checks.filter { !isChanged($0.key.label) } }
    for request in requests where checks[request.subject] == nil {
      checks[request.subject] = try IdentityCheck(of: request, in: store)
    }
    if checks.count > requests.count {
      let programs = Set(requests.map(\.subject))
      checks = checks.filter { programs.contains($0.key) }
    }
  }

  /// Returns a function that says whether the checks of the programs with a label might be different after these entries:
  /// those of the same label, and those that look like it. It is `nil` if none is different.
  private static func change(by entries: [JournalEntry]) -> ((_ label: String) -> Bool)? {
    let changing = entries.filter(\.kind.changesKnownPrograms)
    if changing.isEmpty { return nil }
    let skeletons = Set(changing.map { $0.subject.map { LookAlikes.skeleton(of: $0.label) } })
    // An entry about no program can be about all of them.
    if skeletons.contains(nil) { return { _ in true } }
    return { skeletons.contains(LookAlikes.skeleton(of: $0)) }
  }
}
