import Machine
import Synchronization

/// The parts of an operation that most operations do not have: conditions, categories, a lease, a parent.
final class OperationDetails: Sendable {
  let conditions: [any OperationCondition]
  let categories: [ExclusionCategory]
  /// Whether at least one condition has to be evaluated.
  let needsLooks: Bool
  let priority: OperationPriority
  /// The index of the only condition that has to be evaluated; −1 if there is not exactly one. Half a word, because
  /// there are many of these objects.
  private let solePlace: Int32
  private let kinship: Kinship?
  private let progress = Lock(Progress())
  /// The position that its ticket had when its turn came while it had no place; 0 if that never happened.
  private let lastPosition = Atomic<UInt64>(0)

  /// The facts that become known while the operation waits. All of them are released when it ends.
  private struct Progress: Sendable {
    var dependencies: [DependencyOutcome] = []
    var remedy: OperationReference?
    /// The endings of the remedies, by the index of their condition; empty if no remedy ran.
    var remedyEndings: [OperationEnding?] = []
    /// The index of the condition whose remedy is running.
    var place: Int32 = 0
    var hasEnded = false
  }

  init(_ admission: Admission, conditions: [any OperationCondition]) {
    self.conditions = conditions
    categories = Self.categories(of: conditions)
    let first = conditions.firstIndex { !$0.isAlwaysSatisfied }
    needsLooks = first != nil
    let last = conditions.lastIndex { !$0.isAlwaysSatisfied }
    solePlace = first == last ? Int32(first ?? -1) : -1
    priority = admission.priority
    kinship = Kinship(admission)
  }

  /// The index of the only condition that has to be evaluated; `nil` if there is not exactly one.
  var soleCondition: Int? { solePlace < 0 ? nil : Int(solePlace) }

  /// The categories of all conditions, each once.
  private static func categories(of conditions: [any OperationCondition]) -> [ExclusionCategory] {
    var categories: [ExclusionCategory] = []
    for condition in conditions {
      let more = condition.categories
      if categories.isEmpty && more.count == 1 {
        categories = more
      } else {
        for category in more where !categories.contains(category) { categories.append(category) }
      }
    }
    return categories
  }
}

// MARK: - Kinship

extension OperationDetails {
  var isChild: Bool { kinship?.isChild ?? false }
  /// Whether an executing operation waits for it.
  var isAwaited: Bool { kinship.map { $0.isChild || $0.parent != nil } ?? false }
  /// The operation for whose condition it is the remedy; `nil` for a child of a remedy.
  var remedyFor: SlotID? { kinship.flatMap { $0.parent == nil ? $0.beneficiary?.record.id : nil } }
  var parent: OperationReference? { kinship?.parent }
  var beneficiary: OperationReference? { kinship?.beneficiary }
  var lease: ExclusionLease? { kinship?.lease }
  var usesLease: Bool { kinship?.usesLease ?? true }
}

// MARK: - Progress

extension OperationDetails {
  /// The outcomes of its dependencies, in the order in which they ended.
  var dependencies: [DependencyOutcome] { progress.withLock { $0.dependencies } }

  /// The remedy that is running, and its condition.
  var remedy: (operation: OperationReference, condition: any OperationCondition)? {
    let (remedy, place) = progress.withLock { ($0.remedy, $0.place) }
    return remedy.map { ($0, conditions[Int(place)]) }
  }

  var remedyEndings: [OperationEnding?] { progress.withLock { $0.remedyEndings } }

  func keepRemedyEndings(_ endings: [OperationEnding?]) {
    guard !endings.isEmpty else { return }
    progress.withLock { if !$0.hasEnded { $0.remedyEndings = endings } }
  }

  /// The position that its ticket had when its turn came while it had no place; `nil` if that never happened.
  var position: UInt64? {
    let position = lastPosition.load(ordering: .relaxed)
    return position == 0 ? nil : position
  }

  func keepPosition(_ position: UInt64) { lastPosition.store(position, ordering: .relaxed) }

  func dependencyEnded(_ dependency: DependencyOutcome) {
    progress.withLock { if !$0.hasEnded { $0.dependencies.append(dependency) } }
  }

  /// Records the remedy that is about to run.
  func startRemedy(_ remedy: OperationReference, ofConditionAt place: Int) {
    progress.withLock { progress in
      progress.remedy = remedy
      progress.place = Int32(place)
    }
  }

  func endRemedy() { progress.withLock { $0.remedy = nil } }

  /// Releases all links to other operations, and cancels a remedy that is no longer wanted.
  func ended() {
    let last = progress.withLock { progress in
      let last = progress
      progress = Progress(hasEnded: true)
      return last
    }
    last.remedy?.cancel()
  }
}

/// An operation's relations to others: a child's to its parent, a remedy's to the operation that it is for.
final class Kinship: Sendable {
  /// Whether it runs inside another operation's place.
  let isChild: Bool
  /// The operation that waits for it as its child.
  let parent: OperationReference?
  /// The operation that it is a remedy for.
  let beneficiary: OperationReference?
  let lease: ExclusionLease?
  /// Whether it may use its lease's categories; if not, it must not wait for them either.
  let usesLease: Bool

  /// Returns `nil` for an operation without relations.
  init?(_ admission: Admission) {
    let isStranger = admission.options.lease == nil && admission.beneficiary == nil && admission.parent == nil
    if isStranger && !admission.isChild { return nil }
    isChild = admission.isChild
    parent = admission.parent
    beneficiary = admission.beneficiary
    lease = admission.options.lease
    usesLease = admission.options.usesLease
  }
}
