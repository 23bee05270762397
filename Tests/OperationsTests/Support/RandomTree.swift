import Operations

/// A random tree of groups and operations, which knows its expected outcome.
indirect enum RandomTree: Sendable {
  enum Leaf: CaseIterable { case succeeds, fails, isCancelled, isSkipped }

  case leaf(Leaf, name: String)
  case group([RandomTree], name: String)
  /// An operation that succeeds at the third attempt.
  case retried(name: String)
  case ignored(RandomTree, name: String)

  init(depth: Int, name: String, using dice: inout Dice) {
    switch depth > 0 ? Int.random(in: 0..<6, using: &dice) : 5 {
    case 0, 1, 2:
      let children = (0..<Int.random(in: 0...5, using: &dice)).map {
        RandomTree(depth: depth - 1, name: "\(name).\($0)", using: &dice)
      }
      self = .group(children, name: name)
    case 3: self = .retried(name: name)
    case 4: self = .ignored(RandomTree(depth: depth - 1, name: "\(name).i", using: &dice), name: name)
    default: self = .leaf(Leaf.allCases.randomElement(using: &dice) ?? .succeeds, name: name)
    }
  }

  /// The names of the operations that fail, in the order in which the outermost group has their errors.
  var failures: [String] {
    switch self {
    case .leaf(.fails, let name): [name]
    case .leaf, .retried, .ignored: []
    case .group(let children, _): children.flatMap(\.failures)
    }
  }

  /// The number of operations that run, including wrappers.
  var count: Int {
    switch self {
    case .leaf: 1
    case .group(let children, _): 1 + children.map(\.count).reduce(0, +)
    case .retried: 4
    case .ignored(let inner, _): 1 + inner.count
    }
  }

  var operation: any Operation {
    switch self {
    case .leaf(let leaf, let name):
      BlockOperation(name) { _ in
        await Task.yield()
        switch leaf {
        case .succeeds: return
        case .fails: throw Failure(name)
        case .isCancelled: throw CancellationError()
        case .isSkipped: throw OperationSkipped(reason: name)
        }
      }
    case .group(let children, let name): GroupOperation(name, children.map(\.operation))
    case .retried(let name):
      RetryOperation(name, waiting: .fibonacci(.seconds(1))) { number in
        BlockOperation("\(name)#\(number)") { _ in if number < 2 { throw Failure(name) } }
      }
    case .ignored(let inner, let name): Self.ignoring(inner.operation, name)
    }
  }

  private static func ignoring(_ operation: any Operation, _ name: String) -> any Operation {
    func open<Inner: Operation>(_ inner: Inner) -> any Operation {
      ComposedOperation(IgnoringErrors(inner), name: name)
    }
    return open(operation)
  }
}
