import Machine
import Synchronization

/// The parts of an operation that most operations do not have: conditions, categories, a lease and a parent.
final class OperationDetails: Sendable {
  let conditions: [any OperationCondition]
  /// The request for the operation's categories, which is made once the operation has its place in the queue.
  let request: ExclusionLines<OperationRecord>.Request
  /// Whether at least one condition has to be evaluated.
  let needsLooks: Bool
  /// The index of the only condition that has to be evaluated; −1 if there is not exactly one such condition. There are
  /// many instances of this class, so the index is stored in only half a word.
  private let solePlace: Int32
  private let kinship: Kinship?
  private let progress = Lock(Progress())
  /// The position of the last ticket that was granted to the operation while it could not get a place in the queue; 0
  /// if there is no such ticket.
  private let lastPosition = Atomic<UInt64>(0)

  /// The data that is collected while the operation waits. It is released when the operation ends.
  private struct Progress: Sendable {
    var dependencies: [DependencyOutcome] = []
    /// The outcomes of the remedies, each at the index of its condition. Empty if no remedy ran.
    var remedyEndings: [OperationEnding?] = []
    /// The remedy that is running, and the index of the condition that it is for.
    var remedy: (operation: OperationReference, place: Int32)?
    var hasEnded = false
  }

  init(conditions: [any OperationCondition], priority: OperationPriority, kinship: Kinship?) {
    self.conditions = conditions
    request = ExclusionLines.Request(
      categories: Self.categories(of: conditions), ancestor: kinship?.lease?.ticket ?? .none,
      priority: priority,
      usesLease: kinship?.usesLease ?? true)
    let first = conditions.firstIndex { !$0.isAlwaysSatisfied }
    needsLooks = first != nil
    let last = conditions.lastIndex { !$0.isAlwaysSatisfied }
    solePlace = first == last ? Int32(first ?? -1) : -1
    self.kinship = kinship
  }

  var categories: [ExclusionCategory] { request.categories }
  var priority: OperationPriority { request.priority }

  /// The index of the only condition that has to be evaluated; `nil` if there is not exactly one such condition.
  var soleCondition: Int? { solePlace < 0 ? nil : Int(solePlace) }

  /// Returns the categories of all conditions, without duplicates.
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
  /// Whether an executing operation waits for this one.
  var isAwaited: Bool { kinship.map { $0.isChild || $0.parent != nil } ?? false }
  var parent: OperationReference? { kinship?.parent }
  var beneficiary: OperationReference? { kinship?.beneficiary }
  var lease: ExclusionLease? { kinship?.lease }
  var usesLease: Bool { kinship?.usesLease ?? true }
}

// MARK: - Progress

extension OperationDetails {
  /// The outcomes of the operation's dependencies, in the order in which the dependencies ended.
  var dependencies: [DependencyOutcome] { progress.withLock { $0.dependencies } }

  /// The remedy that is running, and the condition that it is for.
  var remedy: (operation: OperationReference, condition: any OperationCondition)? {
    progress.withLock { $0.remedy }.map { ($0.operation, conditions[Int($0.place)]) }
  }

  var remedyEndings: [OperationEnding?] { progress.withLock { $0.remedyEndings } }

  func keepRemedyEndings(_ endings: [OperationEnding?]) {
    guard !endings.isEmpty else { return }
    progress.withLock { if !$0.hasEnded { $0.remedyEndings = endings } }
  }

  /// The position of the last ticket that was granted to the operation while it could not get a place in the queue;
  /// `nil` if there is no such ticket.
  var position: UInt64? {
    let position = lastPosition.load(ordering: .relaxed)
    return position == 0 ? nil : position
  }

  func keepPosition(_ position: UInt64) { lastPosition.store(position, ordering: .relaxed) }

  func dependencyEnded(_ dependency: DependencyOutcome) {
    progress.withLock { if !$0.hasEnded { $0.dependencies.append(dependency) } }
  }

  /// Records a remedy before it starts.
  func startRemedy(_ remedy: OperationReference, ofConditionAt place: Int) {
    progress.withLock { $0.remedy = (remedy, Int32(place)) }
  }

  func endRemedy() { progress.withLock { $0.remedy = nil } }

  /// Releases the stored references to other operations. If a remedy is still running, cancels it.
  func ended() {
    let last = progress.withLock { exchange(&$0, with: Progress(hasEnded: true)) }
    last.remedy?.operation.cancel()
  }
}

/// An operation's relations to others. For a child, this is its parent. For a remedy, it is the operation that the
/// remedy is for.
final class Kinship: Sendable {
  let isChild: Bool
  let parent: OperationReference?
  let beneficiary: OperationReference?
  let lease: ExclusionLease?
  /// Whether the operation is allowed to use its lease's categories. If it is not, it fails when it needs one of these
  /// categories, because it would have to wait for its own ancestor.
  let usesLease: Bool

  /// Returns the relations of an operation; `nil` if the operation has none. An initializer would allocate an object
  /// before it could return `nil`.
  static func of(_ admission: Admission) -> Kinship? {
    let isStranger = admission.options.lease == nil && admission.beneficiary == nil && admission.parent == nil
    return isStranger && !admission.isChild ? nil : Kinship(admission)
  }

  private init(_ admission: Admission) {
    isChild = admission.isChild
    parent = admission.parent
    beneficiary = admission.beneficiary
    lease = admission.options.lease
    usesLease = admission.options.usesLease
  }
}
