import Machine
import PermBroker
import PermModel
import ProgramVersion

/// The machines of the configuration, what was pinned about them, and the way to reach them.
struct MachineRoom: Sendable {
  let context: CommandContext
  private let access: MachineAccess

  init(_ context: CommandContext) throws(CommandError) {
    self.context = context
    access = MachineAccess(store: try context.storePath(), version: Version.current) {
      [world = context.world] in world.now().wall
    }
  }

  var console: Console { context.console }
  var machines: [ConfiguredMachine] { context.configuration.machines }
  var configurationFile: String { context.probes.configFile }

  /// The id of the broker on this side.
  var ownID: String { access.ownID }
  private var folder: String { access.folder }

  func book() throws(CommandError) -> MachineBook {
    do throws(MachineBook.Problem) { return try MachineBook.read(inFolder: folder) } catch {
      throw CommandError("\(error)")
    }
  }

  /// Changes what is pinned.
  func change<Result>(_ body: (inout MachineBook) throws(MachineFault) -> Result) throws -> Result {
    do {
      return try MachineBook.change(inFolder: folder, body)
    } catch let problem as MachineBook.Problem {
      throw CommandError("\(problem)")
    }
  }

  /// Returns a machine of the configuration.
  func configured(_ name: RemoteName) throws(CommandError) -> ConfiguredMachine {
    if let machine = machines.first(where: { $0.name == name }) { return machine }
    let meant = name.text.nearest(in: machines.map(\.name.text))
    throw CommandError(
      "no machine \(name.text) is configured",
      advice: [meant.map { "did you mean '\($0)'?" } ?? "add it with permtui machine add \(name.text)"],
      status: .denied)
  }

  func forget(_ name: RemoteName) throws -> ExitStatus {
    guard try change({ $0.forget(name) }) else {
      throw CommandError("\(name.text) was not added", status: .denied)
    }
    try console.print("forgot \(name.text), with its id and its host key")
    if machines.contains(where: { $0.name == name }) {
      console.note(
        console.visible("[machines.\(name.tomlKey)] is still in \(configurationFile); take it out there."))
    }
    return .done
  }

  // MARK: Reaching them

  /// Connects to a machine, and accepts only what is pinned.
  func open(_ machine: ConfiguredMachine, _ book: MachineBook) async -> Result<MachineLink, MachineFault> {
    await access.open(machine, book)
  }

  /// Connects to a machine whatever it is, and returns what it says about itself, and its host keys.
  func meet(_ machine: ConfiguredMachine) throws -> (hello: MachineHello, keys: [HostKeys.Key]) {
    let result = AsyncBridge.wait { [access] in
      do { return Result<_, any Error>.success(try await access.meet(machine)) } catch {
        return .failure(error)
      }
    }
    do { return try result.get() } catch let problem as SystemError { throw CommandError("\(problem)") }
  }
}

extension RemoteName {
  /// The name as a key in the configuration. A dot would begin a table in it.
  var tomlKey: String { text.contains(".") ? "\"\(text)\"" : text }
}

extension CommandError {
  init(_ fault: MachineFault, of machine: ConfiguredMachine) {
    self.init(
      "\(machine.name.text) \(fault)", advice: [fault.advice(machine)],
      status: fault.isPassing ? .noAnswer : .failed)
  }
}
