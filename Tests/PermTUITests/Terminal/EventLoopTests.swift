import Foundation
import Glibc
import Machine
import Synchronization
import TerminalTesting
import Testing

@testable import PermTUI

/// Records the loop's events, and shows their number.
private struct RecordingProgram: TerminalApp {
  final class Record: Sendable {
    let events = Mutex<[String]>([])
    let renders = Mutex<Int>(0)
    let bursts = Mutex<Int>(0)
    let paints = Mutex<Int>(0)

    var seen: [String] { events.withLock { $0 } }
    var frames: Int { renders.withLock { $0 } }
  }

  let record = Record()
  let measure: any CellMeasure
  var nextDeadline: Int64?
  var commands: [String: [TerminalCommand]] = [:]
  /// Actions to take while the frame of this number is made.
  var beforeFrame: [Int: @Sendable () -> Void] = [:]
  /// Actions to take when the event of this name comes.
  var onEvent: [String: @Sendable () -> Void] = [:]

  mutating func handle(_ event: TerminalEvent<String>, at moment: EventTime) -> [TerminalCommand] {
    let names: [String] =
      switch event {
      case .input(let events): events.map(Self.name)
      case .message(let text): ["message \(text)"]
      case .resized(let size): ["\(size.width)x\(size.height)"]
      case .tick: ["tick"]
      case .started, .resumed: []
      case .hasRead(let problem): ["read \(problem ?? "")"]
      case .heldUp: ["held up"]
      case .inputEnded: ["ended"]
      }
    if event.isTick { nextDeadline = nil }
    if event.isInput { record.bursts.withLock { $0 += 1 } }
    record.events.withLock { $0 += names }
    for name in names { onEvent[name]?() }
    return names.flatMap { commands[$0] ?? ($0 == "q" ? [.quit(exitCode: 7)] : []) }
  }

  private static func name(_ event: InputEvent) -> String {
    switch event {
    case .key(let key): "\(key)"
    case .paste(let text): "paste \(text)"
    case .noise: "noise"
    case .mouse: "mouse"
    case .repeated: "repeated"
    case .focused: "focused"
    case .unfocused: "unfocused"
    case .stalled: "stalled"
    }
  }

  func painted(at moment: EventTime) { record.paints.withLock { $0 += 1 } }

  func render(_ size: Size) -> Grid {
    let frame = record.renders.withLock { count in
      count += 1
      return count
    }
    beforeFrame[frame]?()
    return Grid(["frame \(frame)"], width: size.width, height: size.height, measure: measure)
  }
}

extension TerminalEvent {
  fileprivate var isTick: Bool {
    if case .tick = self { true } else { false }
  }

  fileprivate var isInput: Bool {
    if case .input = self { true } else { false }
  }
}

extension RealTerminalTests {
  @Suite("the event loop")
  struct Loop {
    private let window: TestWindow
    private let inbox = Inbox<String>()

    init() throws { window = try TestWindow() }

    /// Runs the loop on this thread until the program quits.
    private func run(
      _ change: (inout RecordingProgram) -> Void = { _ in }
    ) throws -> (exitCode: Int32, record: RecordingProgram.Record) {
      let terminal = try Terminal(window.options())
      defer { terminal.close() }
      var program = RecordingProgram(measure: terminal.measure)
      change(&program)
      let loop = EventLoop(program, on: terminal, inbox: inbox, signals: Signals())
      return (loop.run(), program.record)
    }

    @Test("takes in all that has come and paints once")
    func burst() throws {
      window.terminal.send(Array("jjj\u{1b}[B\u{1b}OAq".utf8))
      let (code, record) = try run()
      #expect(code == 7)
      #expect(record.seen == ["80x24", "j", "j", "j", "Down", "Up", "q"])
      #expect(record.frames == 1)
      #expect(record.bursts.withLock { $0 } == 1)
      #expect(record.paints.withLock { $0 } == 1)
    }

    @Test("hands messages on in order, however many tasks send them")
    func messages() async throws {
      await withTaskGroup { group in
        for sender in 0..<4 {
          group.addTask { [inbox] in for number in 0..<500 { inbox.send("\(sender):\(number)") } }
        }
      }
      inbox.send("last")
      let (_, record) = try run { $0.commands["message last"] = [.quit(exitCode: 0)] }
      let messages = record.seen.dropFirst()
      #expect(messages.count == 2_001)
      for sender in 0..<4 {
        let own = messages.filter { $0.hasPrefix("message \(sender):") }
        #expect(own == (0..<500).map { "message \(sender):\($0)" })
      }
    }

    @Test("wakes up for a message that comes while it waits")
    func waking() throws {
      let sender = Thread { [inbox, window = window.terminal.descriptor] in
        // The first frame is on its way when the window is readable; then the loop waits, or soon will.
        var descriptor = pollfd(fd: window, events: Int16(POLLIN), revents: 0)
        poll(&descriptor, 1, 10_000)
        inbox.send("wake")
      }
      sender.start()
      let (_, record) = try run { $0.commands["message wake"] = [.quit(exitCode: 0)] }
      #expect(record.seen.last == "message wake")
    }

    @Test("ticks when the deadline has come, and not before")
    func deadline() throws {
      let deadline = EventTime.now().milliseconds + 30
      let (_, record) = try run {
        $0.nextDeadline = deadline
        $0.commands["tick"] = [.quit(exitCode: 0)]
      }
      #expect(record.seen == ["80x24", "tick"])
      #expect(EventTime.now().milliseconds >= deadline)
    }

    @Test("handles messages while the terminal is stopped, and keys only when the frame is shown")
    func heldUp() throws {
      inbox.send("more")
      let output = window.options().output
      let (code, record) = try run { program in
        program.beforeFrame[2] = { [inbox] in
          tcflow(output, TCOOFF)
          inbox.send("while stopped")
        }
        program.onEvent["message while stopped"] = { [keyboard = window.terminal.descriptor] in
          WholeWrite.write(Array("q".utf8), to: keyboard)
          tcflow(output, TCOON)
        }
      }
      #expect(code == 7)
      #expect(record.seen == ["80x24", "message more", "message while stopped", "held up", "q"])
      #expect(record.frames == 3)
      #expect(record.paints.withLock { $0 } == 2, "the second frame was painted too late to count")
    }

    @Test("ticks while the terminal is stopped")
    func tickingWhileHeldUp() throws {
      let output = window.options().output
      defer { tcflow(output, TCOON) }
      let (_, record) = try run { program in
        program.nextDeadline = EventTime.now().milliseconds + 30
        program.commands["tick"] = [.quit(exitCode: 0)]
        program.beforeFrame[1] = { tcflow(output, TCOOFF) }
      }
      #expect(record.seen == ["80x24", "tick"])
    }

    @Test("ends by a signal while the terminal is stopped")
    func endingWhileHeldUp() throws {
      inbox.send("more")
      let output = window.options().output
      defer { tcflow(output, TCOON) }
      let (code, record) = try run { program in
        program.beforeFrame[2] = {
          tcflow(output, TCOOFF)
          pthread_kill(pthread_self(), SIGTERM)
        }
      }
      #expect(code == 143)
      #expect(record.seen == ["80x24", "message more", "ended"])
    }

    @Test("a lone Escape is a key after its delay")
    func escape() throws {
      window.terminal.send([0x1b])
      let (_, record) = try run { $0.commands["Esc"] = [.quit(exitCode: 0)] }
      #expect(record.seen == ["80x24", "Esc"])
    }

    @Test("a paste is one event, and no key in it counts")
    func paste() throws {
      // This is sent when the mode is set: before that, the terminal itself would handle the ^C.
      let (_, record) = try run { _ in window.terminal.send(Array("\u{1b}[200~yqq\u{3}\u{1b}[201~q".utf8)) }
      #expect(record.seen.last(where: { $0.hasPrefix("paste") }) == "paste yqq\u{3}")
      #expect(record.seen.filter { $0 == "q" }.count == 1)
    }

    @Test("^L is done by the loop, and shows that the person is here")
    func redraw() throws {
      let (_, record) = try run { _ in window.terminal.send(Array("\u{c}q".utf8)) }
      #expect(record.seen == ["80x24", "focused", "q"])
    }

    @Test("a window that is closed ends it, and answers nothing")
    func hangUp() throws {
      let (code, record) = try run { _ in window.terminal.hangUp() }
      #expect(code == 129)
      #expect(record.seen == ["80x24", "ended"])
    }

    @Test("rings, and sets the title, as the program asks")
    func signs() throws {
      window.terminal.send(Array("rq".utf8))
      _ = try run { $0.commands["r"] = [.ringBell, .setTitle("2 wait")] }
      try window.takeOutput()
      #expect(window.bells == 1)
      #expect(window.title == "2 wait")
    }
  }
}
