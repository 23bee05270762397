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
    /// What was allowed by the reply before this one, if that was about writing a file.
    var allowedWrite: Set<Atom> = []
    var hasEnded = false
    /// The task that answers a line, and the one that asks a person meanwhile.
    var answering: Task<Void, Never>?
    var asking: Task<DenoReply, Never>?
  }

  static let ended = "PermTUI ended"

  private let desk: any DenoDesk
  private let peer: Peer
  private let turns: DenoTurns
  private let memory = DenoMemory()
  private let state = Lock(State())

  init(_ desk: any DenoDesk, _ peer: Peer, _ turns: DenoTurns) {
    self.desk = desk
    self.peer = peer
    self.turns = turns
  }

  /// Notes the task that answers the present line.
  func note(_ answering: Task<Void, Never>) { state.withLock { $0.answering = answering } }

  /// Denies the question that is open, and all further ones, and waits until the denial has been sent.
  func end() async {
    let (answering, asking) = state.withLock { state in
      state.hasEnded = true
      return (state.answering, state.asking)
    }
    asking?.cancel()
    await answering?.value
  }

  /// Answers a line from memory, on another thread. Calls `done` there with the reply, or with `nil` if ``answer(_:)`` has to
  /// find it. Returns `false` if the thread cannot take the work.
  func answerNow(_ line: DenoLine, done: @escaping @Sendable ([UInt8]?) -> Void) -> Bool {
    desk.perform { [self] in done(answerNow(line)) }
  }

  private func answerNow(_ line: DenoLine) -> [UInt8]? {
    // What is written is left to the other way, because the next question can depend on it.
    guard case .whole(let bytes) = line, let question = try? DenoQuestion(bytes),
      question.pid == Int64(peer.pid), case .values(let asked)? = try? DenoWish(question), !asked.isWrite,
      (try? asked.checkDepth()) != nil, !state.withLock(\.hasEnded),
      desk.allowsNow(asked, at: peer, memory)
    else { return nil }
    let hasEnded = state.withLock { state in
      (state.lastID, state.allowedWrite) = (question.id, [])
      return state.hasEnded
    }
    return hasEnded ? nil : DenoReply.allow.line(to: question.id)
  }

  /// Returns the line that answers a line.
  func answer(_ line: DenoLine) async -> [UInt8] {
    let id: UInt64
    var reply: DenoReply
    switch line {
    case .whole(let bytes):
      do throws(DenoRefusal) {
        let question = try DenoQuestion(bytes)
        id = question.id
        reply = await self.reply(to: question)
      } catch {
        (id, reply) = (DenoQuestion.id(in: bytes) ?? nextID, DenoReply(error))
      }
    case .tooLong(let beginning):
      id = DenoQuestion.id(in: beginning) ?? nextID
      reply = .deny("the question is longer than \(DenoLineBuffer.longest) bytes")
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
    guard !state.withLock(\.hasEnded) else { return .deny(Self.ended) }
    guard question.pid == Int64(peer.pid) else {
      return .deny("the question names another process than the one that is connected")
    }
    let before = state.withLock { state in
      defer { state.allowedWrite = [] }
      return state.allowedWrite
    }
    do {
      switch try DenoWish(question) {
      case .values(let asked): return try await reply(to: asked)
      case .everyCommand: return try await desk.allowsEveryCommand(at: peer, memory)
      case .command(let path): return try await reply(to: desk.asked(running: path, at: peer))
      case .socket(let path): return try await reply(toSocketAt: path, allowed: before)
      case .temporaryFile(let path): return try await reply(to: desk.asked(temporaryFile: path, at: peer))
      }
    } catch {
      return DenoReply(error)
    }
  }

  private func reply(to asked: AskedValues) async throws -> DenoReply {
    try asked.checkDepth()
    let recalled = try await desk.recall(asked, at: peer, memory)
    let reply = if let verdict = recalled.verdict { DenoReply(verdict) } else { await ask(asked) }
    if reply.verdict == .allow, asked.isWrite {
      state.withLock { $0.allowedWrite = recalled.atoms }
    }
    return reply
  }

  /// Replies to a question about a socket in the file system. Just before, Deno has asked for writing its path.
  private func reply(toSocketAt path: SpelledPath, allowed: Set<Atom>) async throws -> DenoReply {
    let asked = AskedValues(dialect: .deno, "files", "write", [path])
    if !allowed.isEmpty, try await desk.recall(asked, at: peer, memory).atoms == allowed { return .allow }
    return try await reply(to: asked)
  }

  /// Asks a person, unless another question of the same process is open; then waits until that one is answered.
  private func ask(_ asked: AskedValues) async -> DenoReply {
    await turns.begin(peer.pid)
    defer { turns.end(peer.pid) }
    let task = Task<DenoReply, Never> { [desk, peer] in
      do {
        return DenoReply(try await desk.ask(asked, at: peer))
      } catch {
        return DenoReply(error)
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

extension AskedValues {
  fileprivate var isWrite: Bool { capability == "files" && paths.contains { $0.part == "write" } }
}

extension DenoReply {
  fileprivate init(_ verdict: Verdict) { self = verdict == .allow ? .allow : .deny("denied in PermTUI") }
}
