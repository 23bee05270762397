import Foundation
import Machine
import PermModel
import Testing

@testable import PermBroker

@Suite("Questions of Deno that follow each other closely", .timeLimit(.minutes(5)))
struct DenoBurstTests {
  private let desk = BurstDesk()
  private let ends: (ours: SocketCopy, its: SocketCopy)
  private var session: DenoSession {
    DenoSession(desk, Peer(pid: getpid(), user: getuid(), socket: nil), DenoTurns())
  }

  init() throws {
    var pair: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
    ends = (try #require(SocketCopy(of: pair[0])), try #require(SocketCopy(of: pair[1])))
    pair.forEach { close($0) }
  }

  private func burst(_ names: [String]) throws -> DenoBurst {
    var buffer = DenoLineBuffer()
    for (index, name) in names.enumerated() {
      buffer.append(
        "{\"v\":1,\"pid\":\(getpid()),\"id\":\(index + 1),\"permission\":\"env\",\"value\":\"\(name)\"}\n"
          .utf8)
    }
    let line = buffer.next()
    return DenoBurst(session, ends.ours, try #require(line), buffer)
  }

  private func replies() -> String {
    var bytes: [UInt8] = []
    while case let more = ends.its.receive(within: 0), !more.isEmpty { bytes += more }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("They are answered one after the other, up to one that no decision allows")
  func inOrder() throws {
    let rest = try #require(try burst(["A", "B", "?", "D"]).run())
    #expect(replies() == "{\"id\":1,\"result\":\"allow\"}\n{\"id\":2,\"result\":\"allow\"}\n")
    guard case .whole(let line)? = rest.line else { return #expect(rest.line != nil) }
    #expect(String(decoding: line, as: UTF8.self).contains("\"id\":3"))
    var buffer = rest.buffer
    let last = buffer.next()
    #expect(last != nil && buffer.kept == 0)
  }

  @Test("If no other follows, the thread is free for other conversations")
  func pause() throws {
    let rest = try #require(try burst(["A"]).run())
    #expect(rest.line == nil && rest.buffer.kept == 0)
    #expect(replies() == "{\"id\":1,\"result\":\"allow\"}\n")
  }

  @Test("A line that is taken back is not answered, although the lookup ends after all")
  func takenBack() async throws {
    let burst = try burst(["A", "B"])
    #expect(burst.takeBack(after: .seconds(60)) == nil)
    desk.isHanging.withLock { $0 = true }
    async let end = BlockingThread.run { burst.run() == nil }
    await desk.hangs()
    let rest = try #require(burst.takeBack(after: .zero))
    #expect(rest.line != nil && rest.buffer.kept > 0)
    #expect(burst.takeBack(after: .zero) == nil)
    desk.free.signal()
    #expect(await end)
    #expect(replies().isEmpty)
  }
}

/// A desk at which everything is allowed but the variable `?`.
private final class BurstDesk: DenoDesk {
  let isHanging = Lock(false)
  let free = DispatchSemaphore(value: 0)
  private let (hanging, hung) = AsyncStream.makeStream(of: Void.self)

  func hangs() async { for await _ in hanging { return } }

  func allowsNow(_ asked: AskedValues, at peer: Peer, _ memory: DenoMemory) -> Bool {
    if isHanging.withLock(\.self) {
      hung.yield()
      free.wait()
    }
    return asked.others.allSatisfy { $0.scope != .name("?") }
  }

  func perform(_ work: @escaping @Sendable () -> Void) -> Bool { BlockingThread.start(work) }

  let isCrowded = false

  func recall(_ asked: AskedValues, at peer: Peer, _ memory: DenoMemory) async throws -> Verdict? { nil }
  func ask(_ asked: AskedValues, at peer: Peer, _ memory: DenoMemory) async throws -> Methods.Request.Reply {
    throw CancellationError()
  }
  func noteRefusal(at peer: Peer, _ memory: DenoMemory) {}
  func allowsEveryCommand(at peer: Peer, _ memory: DenoMemory) async throws -> DenoReply { .deny(nil) }
  func asked(temporaryFile path: SpelledPath, at peer: Peer) throws -> AskedValues {
    AskedValues(capability: "files")
  }
}
