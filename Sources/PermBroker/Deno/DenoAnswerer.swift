import PermModel

/// The part of a broker that answers the questions of Deno processes.
protocol DenoAnswerer: Sendable {
  /// Answers a question from what has been decided. Returns `nil` if a person has to be asked.
  func recall(_ asked: AskedValues, at peer: Peer, _ memory: DenoMemory) async throws -> Verdict?

  /// Asks a person, unless a decision that was made meanwhile covers the question.
  func ask(
    _ asked: AskedValues, at peer: Peer, _ memory: DenoMemory
  ) async throws -> Methods.Request.Reply

  /// Notes in the journal that a question was denied because it cannot be asked.
  func noteRefusal(at peer: Peer, _ memory: DenoMemory)

  /// Answers whether every command is allowed. Nobody is asked: after a denial, Deno asks for the command by name.
  func allowsEveryCommand(at peer: Peer, _ memory: DenoMemory) async throws -> DenoReply

  /// Returns the question for a temporary file: for the folder that was set when the process began, and for a file in
  /// the working folder that has the name which stands for it. The script can have chosen another folder since.
  func asked(temporaryFile path: SpelledPath, at peer: Peer) throws -> AskedValues
}
