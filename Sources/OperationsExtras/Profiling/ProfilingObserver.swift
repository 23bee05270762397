import Machine
public import Operations

/// An observer that measures when operations reach their steps. It also follows each operation's children, its
/// remedies, and the operations that it adds.
public struct ProfilingObserver: OperationObserver {
  private let tree: ProfileTree
  private let parent: ProfileTree.Place?

  /// - Parameter clock: The clock that measures all times, starting from zero when the profiler is created.
  public init(_ reporter: any OperationProfileReporter, clock: any Clock<Duration> = ContinuousClock()) {
    self.init(ProfileTree(reporter, Timeline(clock)), parent: nil)
  }

  private init(_ tree: ProfileTree, parent: ProfileTree.Place?) {
    self.tree = tree
    self.parent = parent
  }

  public func observe(_ event: OperationEvent, of operation: OperationReference) {
    tree.mark(event, of: operation, parent: parent)
  }

  public func observer(ofChildOf parent: OperationReference) -> (any OperationObserver)? {
    ProfilingObserver(tree, parent: tree.reserveChild(of: parent))
  }
}

/// The incomplete profiles of a profiler's operations.
final class ProfileTree: Sendable {
  /// A profile's position among its parent's children.
  struct Place: Sendable {
    let parent: OperationReference
    let index: Int
  }

  private struct Node {
    var profile: OperationProfile
    let place: Place?
    /// The profiles of the children in the order in which the children were added; `nil` for each profile
    /// that is not complete yet.
    var children: [OperationProfile?] = []
    var hasEnded = false

    var isComplete: Bool { hasEnded && !children.contains { $0 == nil } }
  }

  private let reporter: any OperationProfileReporter
  private let timeline: Timeline
  private let nodes = Lock<[OperationReference: Node]>([:])

  init(_ reporter: any OperationProfileReporter, _ timeline: Timeline) {
    self.reporter = reporter
    self.timeline = timeline
  }

  /// Reserves a place for a child that is about to be added. Returns `nil` if the parent's profile is already complete.
  func reserveChild(of parent: OperationReference) -> Place? {
    nodes.withLock { nodes in
      guard let count = nodes[parent]?.children.count else { return nil }
      nodes[parent]?.children.append(nil)
      return Place(parent: parent, index: count)
    }
  }

  func mark(_ event: OperationEvent, of operation: OperationReference, parent place: Place?) {
    let mark = OperationProfile.Mark(event, at: timeline.now())
    let (name, id) = (operation.name, operation.id)
    let report = nodes.withLock { nodes in
      var node = nodes[operation] ?? Node(profile: OperationProfile(name: name, id: id), place: place)
      node.profile.marks.append(mark)
      if case .ended = event { node.hasEnded = true }
      nodes[operation] = node
      return Self.takeComplete(operation, &nodes)
    }
    if let report { reporter.report(report) }
  }

  /// If the operation's profile is complete, moves the profile into that of the operation's parent, and continues with
  /// the parent. Returns the topmost operation's profile if that is now complete; otherwise, `nil`.
  private static func takeComplete(
    _ operation: OperationReference, _ nodes: inout [OperationReference: Node]
  ) -> OperationProfile? {
    var next = operation
    while let node = nodes[next], node.isComplete {
      nodes[next] = nil
      var profile = node.profile
      profile.children = node.children.compactMap { $0 }
      guard let place = node.place else { return profile }
      nodes[place.parent]?.children[place.index] = profile
      next = place.parent
    }
    return nil
  }
}
