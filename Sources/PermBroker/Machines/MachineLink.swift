import Machine
import PermModel

/// A connection to the bridge of another machine, over ssh.
///
/// The connection ends when the last reference to this object goes away.
package final class MachineLink: Sendable {
  package let machine: ConfiguredMachine
  package let hello: MachineHello
  private let ssh: SpokenProgram

  private init(_ machine: ConfiguredMachine, _ hello: MachineHello, _ ssh: SpokenProgram) {
    (self.machine, self.hello, self.ssh) = (machine, hello, ssh)
  }

  /// Sends a message to the bridge. Returns `false` if the connection does not take it.
  func send(_ message: [UInt8]) -> Bool { ssh.sendAtOnce(message) }

  /// Waits for bytes of the bridge. Returns `nil` at the end of the connection, or if the task was cancelled.
  func received() async -> ArraySlice<UInt8>? { await ssh.received() }

  /// Ends the connection soon.
  func cut() { ssh.terminate() }

  /// Waits for the end of ssh, and returns the reason why the connection has ended.
  func fault() async -> MachineFault {
    await BlockingThread.run { [ssh] in
      let status = ssh.end()
      return status == 0
        ? .ended("it has ended")
        : MachineGreeting.fault(status: status, messages: ssh.messages.text, words: ssh.messages.lastWords)
    }
  }

  /// The time within which a machine must have answered. There, a broker may have to be started first.
  package static let patience = 25

  /// Connects to a machine, and checks what it says about itself.
  ///
  /// - Parameters:
  ///   - arguments: The program that connects, usually ssh, and its arguments.
  ///   - id: The id that the machine must have; `nil` at the first contact.
  ///   - seconds: The time within which the machine must have answered.
  package static func open(
    _ machine: ConfiguredMachine, by arguments: [String], id: String?, version: String,
    within seconds: Int = patience, now: @escaping @Sendable () -> Timestamp
  ) async -> Result<MachineLink, MachineFault> {
    let ssh: SpokenProgram
    do throws(SystemError) { ssh = try SpokenProgram(arguments) } catch {
      return .failure(.noSSH(error.reason))
    }
    let greeting = MachineGreeting(ssh: ssh, version: version, seconds: seconds, now: now)
    return await withTaskCancellationHandler {
      await BlockingThread.run {
        do throws(MachineFault) {
          let hello = try greeting.hello()
          if let id, id != hello.id { throw .idChanged }
          ssh.messages.keepTaking()
          return .success(MachineLink(machine, hello, ssh))
        } catch {
          return .failure(error)
        }
      }
    } onCancel: {
      ssh.terminate()
    }
  }
}

/// The first call on a connection, and the wait for its answer.
struct MachineGreeting: Sendable {
  let ssh: SpokenProgram
  let version: String
  let seconds: Int
  let now: @Sendable () -> Timestamp

  /// Blocks the thread until the machine has answered.
  func hello() throws(MachineFault) -> MachineHello {
    let end = SystemClock.monotonic.milliseconds + Int64(seconds) * 1_000
    let sent = now()
    ssh.send(Array(#"{"method":"\#(BridgeHello.fullName)"}"#.utf8) + [0])
    var bytes: [UInt8] = []
    var hasMessages = true
    while true {
      let left = end - SystemClock.monotonic.milliseconds
      guard left > 0 else { throw .silent(seconds: seconds) }
      let waits = [ssh.stream] + (hasMessages ? [ssh.messages.descriptor] : [])
      let ready = Readable.poll(waits, milliseconds: Int32(clamping: left))
      if ready.contains(ssh.messages.descriptor) { hasMessages = ssh.messages.take() }
      guard ready.contains(ssh.stream) else { continue }
      guard let more = Readable.bytes(of: ssh.stream) else { throw fault(after: bytes) }
      bytes += more
      let span = MachineHello.Span(sent: sent, received: now())
      if let hello = try MachineHello.read(bytes, in: span, version: version) { return hello }
    }
  }

  /// Returns the reason why the stream has ended without an answer.
  private func fault(after bytes: [UInt8]) -> MachineFault {
    let status = ssh.end()
    if !bytes.isEmpty, status == 0 { return .nonsense("it ended in the middle of an answer") }
    return Self.fault(status: status, messages: ssh.messages.text, words: ssh.messages.lastWords)
  }

  /// Returns the meaning of how ssh has ended.
  ///
  /// - Parameters:
  ///   - status: The status, as `waitpid` has it.
  ///   - words: The last message, safe to print.
  static func fault(status: Int32, messages: String, words: String?) -> MachineFault {
    guard status & 0x7f == 0 else { return .ended("ssh was ended by signal \(status & 0x7f)") }
    switch (status >> 8) & 0xff {
    case 126, 127: return .noProgram
    case 255: break
    case let code: return .ended(words ?? "it ended with status \(code)")
    }
    let words = words ?? "ssh does not say why"
    if messages.contains("Host key verification failed") { return .hostKeyChanged }
    let refusals = [
      "Permission denied", "Too many authentication failures", "No supported authentication methods",
    ]
    if refusals.contains(where: { messages.contains($0) }) { return .notAuthorised(words) }
    return .unreachable(words)
  }
}

extension MessageTail {
  /// The last message that says something, safe to print.
  fileprivate var lastWords: String? {
    let lines = text.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " } }
    return lines.last { !$0.isEmpty }.map { VisibleText.escaped(VisibleText.brief($0)) }
  }
}
