import PermModel

/// The part of a broker that answers the questions of Deno processes.
protocol DenoDesk: Sendable {
  /// Answers a question from what has been decided.
  ///
  /// - Returns: The verdict, or `nil` if a person has to be asked; and the values as they are decided.
  func recall(
    _ asked: AskedValues, at peer: Peer, _ memory: DenoMemory
  ) async throws -> (verdict: Verdict?, atoms: Set<Atom>)

  /// Returns whether a question is allowed by what has been decided, as far as that can be told on the calling thread, which
  /// must be one of ``perform(_:)``. If it returns `false`, ``recall(_:at:_:)`` finds out more.
  func allowsNow(_ asked: AskedValues, at peer: Peer, _ memory: DenoMemory) -> Bool

  /// Performs work on a thread that can block. Returns `false` if too much work is waiting already.
  func perform(_ work: @escaping @Sendable () -> Void) -> Bool

  /// Asks a person, unless a decision that was made meanwhile covers the question.
  func ask(_ asked: AskedValues, at peer: Peer) async throws -> Methods.Request.Reply

  /// Answers whether every command is allowed. Nobody is asked: after a denial, Deno asks for the command by name.
  func allowsEveryCommand(at peer: Peer, _ memory: DenoMemory) async throws -> DenoReply

  /// Returns the question for a command whose path is relative.
  func asked(running path: SpelledPath, at peer: Peer) async throws -> AskedValues

  /// Returns the question for a temporary file: for its folder, and for a file in the working folder that has the name
  /// which stands for it.
  func asked(temporaryFile path: SpelledPath, at peer: Peer) throws -> AskedValues
}
