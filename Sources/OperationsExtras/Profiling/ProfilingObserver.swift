import Machine
public import Operations

/// Measures when operations take their steps, and follows the operations that they bring about.
public struct ProfilingObserver: OperationObserver {
  private let tree: ProfileTree
  private let parent: ProfileTree.Place?

  /// - Parameter clock: The clock for all times, which count from the creation of the profiler.
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
