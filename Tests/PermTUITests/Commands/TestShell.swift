import ArgumentParser
import Machine
import PermModel
import Synchronization

@testable import PermTUI

/// Runs commands as a shell would: on a store in memory, with a clock that the test controls, on a machine that has
/// only a pictures folder.
final class TestShell: Sendable {
  /// The output of a command, and its exit status.
  struct Outcome {
    var output: String
    var messages: String
    var status: Int32

    var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  let store: MemoryStore
  private let clock: TestClock
  private let configuration: UserConfiguration
  private let policy: MachinePolicy
  private let settings: DashboardSettings

  /// - Parameter configuration: The text of the person's `config.toml`.
  init(configuration: String = "", policy: MachinePolicy = .none) {
    clock = TestClock()
    store = MemoryStore(environment: clock.environment)
    var probes = ProbeEnvironment(root: "/nonexistent", home: "/nonexistent")
    probes.pictures = "/"
    self.configuration = UserConfiguration(text: configuration, file: "config.toml", probes)
    self.policy = policy
    settings = DashboardSettings(text: configuration, file: "config.toml")
  }

  var now: Timestamp { clock.now }

  func pass(_ duration: Duration) { clock.pass(duration) }

  @discardableResult
  func run(_ arguments: String...) -> Outcome { run(arguments) }

  @discardableResult
  func run(_ arguments: [String], width: Int? = nil) -> Outcome {
    let data = RecordedSink()
    let messages = RecordedSink()
    let (said, status) = Self.ending(of: arguments, in: context(data, messages, width: width))
    return Outcome(output: data.text, messages: messages.text + said, status: status)
  }

  /// The context in which commands run.
  ///
  /// - Parameter width: The width of the terminal to which the data goes; `nil` if it goes elsewhere.
  func context(
    _ data: RecordedSink = RecordedSink(), _ messages: RecordedSink = RecordedSink(), width: Int? = nil
  ) -> CommandContext {
    let console = Console(
      data: data, messages: messages, isTerminal: width != nil, colors: .none, measure: TestCellMeasure(),
      width: width)
    return CommandContext(
      console: console, environment: [:], world: store.environment, configuration: configuration,
      givenPolicy: policy, givenSettings: settings, givenStore: store)
  }

  /// Returns the final message and the exit status.
  private static func ending(of arguments: [String], in context: CommandContext) -> (String, Int32) {
    do {
      return ("", try status(of: arguments, in: context).rawValue)
    } catch {
      switch ProgramExit(error) {
      case .failed(let text, let status): return (text, status)
      case .answered(let text): return (text, 0)
      case .readerGone: return ("", -1)
      }
    }
  }

  private static func status(of arguments: [String], in context: CommandContext) throws -> ExitStatus {
    let command = try PermTUI.parsed(arguments)
    guard let command = command as? any ConsoleCommand else {
      throw CommandError.usage("\(type(of: command)) is not for the console")
    }
    return try command.carryOut(in: context)
  }
}

/// Both clocks of a store, controlled by a test. They start on 2026-11-21 at 09:00 UTC.
private final class TestClock: Sendable {
  private let time = Mutex(Timestamp(seconds: 1_795_251_600))

  var now: Timestamp { time.withLock { $0 } }

  func pass(_ duration: Duration) { time.withLock { $0 = $0 + duration } }

  var environment: StoreEnvironment {
    StoreEnvironment(
      now: { [self] in
        Moment(
          wall: now, bootID: "boot", bootTime: now.microseconds, session: { "session" },
          isRunning: { _ in true })
      },
      makeID: RandomID.make, thisProcess: ProcessIdentity(pid: 1, startTime: 1))
  }
}
