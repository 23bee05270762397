/// The questions that wait for a person, each with the operations that wait for its answer.
struct Questions<Use: AskedUse, Operation> {
  /// A use that was asked about, with the number of the question: they are answered in the order in which they came.
  fileprivate struct Question {
    var number: Int
    var operations: [Operation]
  }

  private var waiting: [Use: Question] = [:]
  private var next = 0

  var isEmpty: Bool { waiting.isEmpty }
  /// The uses that are asked about.
  var uses: [Use] { Array(waiting.keys) }
  var operations: [Operation] { waiting.values.flatMap(\.operations) }

  /// Adds an operation. Returns whether the question is new.
  mutating func add(_ operation: Operation, to use: Use) -> Bool {
    let isNew = waiting[use] == nil
    if isNew { next += 1 }
    waiting[use, default: Question(number: next, operations: [])].operations.append(operation)
    return isNew
  }

  /// Whether operations wait for the answer about a use.
  func contain(_ use: Use) -> Bool { waiting[use] != nil }

  /// Removes the operations that fulfil a condition. A question without operations is withdrawn.
  mutating func remove(where isMeant: (Operation) -> Bool) -> [Operation] {
    let uses = waiting.filter { $0.value.operations.contains(where: isMeant) }
    return uses.flatMap { use, question in
      let left = question.operations.filter { !isMeant($0) }
      waiting[use] = left.isEmpty ? nil : Question(number: question.number, operations: left)
      return question.operations.filter(isMeant)
    }
  }

  /// Removes the questions that are answered by now, and returns the operations that waited for them, in the order in
  /// which they were asked.
  mutating func takeAnswered(_ ruling: (Use) -> Ruling) -> [Operation] {
    let answered = waiting.filter { ruling($0.key) != .open }
    for use in answered.keys { waiting[use] = nil }
    return answered.values.sorted { $0.number < $1.number }.flatMap(\.operations)
  }
}

extension Questions: Sendable where Operation: Sendable {}
extension Questions.Question: Sendable where Operation: Sendable {}
