import Machine
import PermModel

/// The conversation with one Deno process. The process waits after each question, so the questions come one at a time.
///
/// Deno ends, in the middle of its work, when the connection closes or when a reply is not the expected one. So every
/// line is answered, with a denial if it cannot be understood.
final class DenoSession: Sendable {
  private struct State {
    /// The number of the latest question.
    var lastID: UInt64 = 0
    var hasEnded = false
    /// Set when the latest line has been answered.
    var answered: OneShot<Void>?
    /// The task that asks a person.
    var asking: Task<DenoReply, Never>?
  }

  static let ended = "PermTUI ended"

  private let answerer: any DenoAnswerer
  private let peer: Peer
  private let turns: DenoOrder
  private let memory = DenoMemory()
  private let state = Lock(State())

  init(_ answerer: any DenoAnswerer, _ peer: Peer, _ turns: DenoOrder) {
    self.answerer = answerer
    self.peer = peer
    self.turns = turns
  }

  /// Denies the question that is open, and all further ones, and waits until the denial has been sent.
  func end() async {
    let (answered, asking) = state.withLock { state in
      state.hasEnded = true
      return (state.answered, state.asking)
    }
    asking?.cancel()
    await answered?.value
  }

  /// Answers a line, and returns when the reply has been sent.
  func answer(_ line: DenoLine, _ send: (_ reply: [UInt8]) async -> Void) async {
    let isAnswered = OneShot<Void>()
    state.withLock { $0.answered = isAnswered }
    await send(await reply(to: line))
    isAnswered.set(())
  }

  /// Returns the reply to a line.
  private func reply(to line: DenoLine) async -> [UInt8] {
    let id: UInt64
    var reply: DenoReply
    switch line {
    case .whole(let bytes):
      do throws(DenoRefusal) {
        let question = try DenoQuestion(bytes)
        id = question.id
        reply = await self.reply(to: question)
      } catch {
        (id, reply) = (DenoQuestion.id(in: bytes) ?? nextID, refuse(error))
      }
    case .tooLong(let beginning):
      id = DenoQuestion.id(in: beginning) ?? nextID
      reply = refuse(DenoRefusal("the question is longer than \(DenoLineBuffer.longest) bytes"))
    }
    let hasEnded = state.withLock { state in
      state.lastID = id
      return state.hasEnded
    }
    if hasEnded { reply = .deny(Self.ended) }
    return reply.line(to: id)
  }

  /// The number that the next question should have.
  private var nextID: UInt64 { state.withLock { $0.lastID &+ 1 } }

  private func reply(to question: DenoQuestion) async -> DenoReply {
    guard !state.withLock({ $0.hasEnded }) else { return .deny(Self.ended) }
    guard question.pid == Int64(peer.pid) else {
      return refuse(DenoRefusal("the question names a different process than the connected one"))
    }
    do {
      switch try DenoWish(question) {
      case .values(let asked): return try await reply(to: asked)
      case .everyCommand: return try await answerer.allowsEveryCommand(at: peer, memory)
      case .temporaryFile(let path): return try await reply(to: answerer.asked(temporaryFile: path, at: peer))
      }
    } catch {
      return refuse(error)
    }
  }

  /// Returns the denial of a question because of an error. If the question cannot be asked, notes that in the journal.
  private func refuse(_ error: any Error) -> DenoReply {
    switch error {
    case is DenoRefusal, BrokerError.invalid(_, _): answerer.noteRefusal(at: peer, memory)
    default: break
    }
    return DenoReply(error)
  }

  private func reply(to asked: AskedValues) async throws -> DenoReply {
    try asked.checkDepth()
    if let verdict = try await answerer.recall(asked, at: peer, memory) { return DenoReply(verdict) }
    return await ask(asked)
  }

  /// Asks a person, unless another question of the same process is open; then waits until that one is answered.
  private func ask(_ asked: AskedValues) async -> DenoReply {
    await turns.take(peer.pid) { await askNow(asked) }
  }

  private func askNow(_ asked: AskedValues) async -> DenoReply {
    let task = Task.quiet { [self] () -> DenoReply in
      do {
        return DenoReply(try await answerer.ask(asked, at: peer, memory))
      } catch {
        return refuse(error)
      }
    }
    let hasEnded = state.withLock { state in
      state.asking = task
      return state.hasEnded
    }
    if hasEnded { task.cancel() }
    defer { state.withLock { $0.asking = nil } }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }
}

extension DenoReply {
  fileprivate init(_ verdict: Verdict) { self = verdict == .allow ? .allow : .deny("denied in PermTUI") }
}
