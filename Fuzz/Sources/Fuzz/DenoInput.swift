@testable import PermBroker
@testable import PermModel

/// Bytes from a process that speaks, or pretends to speak, Deno's protocol.
enum DenoInput {
  static func take(_ bytes: [UInt8]) {
    let whole = lines(in: [bytes[...]])
    precondition(lines(in: bytes.map { [$0] }) == whole, "pieces changed the lines")
    for line in whole { read(line) }
  }

  private static func lines(in pieces: [ArraySlice<UInt8>]) -> [DenoLine] {
    var buffer = DenoLineBuffer()
    var found: [DenoLine] = []
    for piece in pieces {
      buffer.append(piece)
      while let line = buffer.next() { found.append(line) }
      precondition(buffer.kept <= DenoLineBuffer.longest + piece.count + 512, "a line fills the memory")
    }
    return found
  }

  /// Reads a line as the broker does, and checks that what is sent back is one harmless line.
  private static func read(_ line: DenoLine) {
    guard case .whole(let bytes) = line else { return }
    do throws(DenoRefusal) {
      let question = try DenoQuestion(bytes)
      check(DenoReply.deny(question.value).line(to: question.id))
      switch try DenoWish(question) {
      case .values(let asked):
        precondition(asked.paths.count + asked.others.count == 1, "a question became several")
        precondition(question.value != nil || asked.others.first?.scope == .any, "everything became less")
        precondition(question.value == nil || asked.others.first?.scope != .any, "a value became everything")
      case .everyCommand: precondition(question.value == nil, "a command became every command")
      case .temporaryFile: break
      }
    } catch {
      check(DenoReply(error).line(to: DenoQuestion.id(in: bytes) ?? 1))
    }
  }

  private static func check(_ reply: [UInt8]) {
    precondition(reply.last == 10 && !reply.dropLast().contains { $0 < 0x20 || $0 == 0x7f }, "not one line")
    guard let object = try? WireCoding.decode(Reply.self, from: reply[...]) else {
      preconditionFailure("a reply is not JSON")
    }
    precondition(object.result == "deny")
  }

  private struct Reply: Decodable {
    var id: UInt64
    var result: String
    var reason: String?
  }
}
