import Machine
import PermBroker
import PermModel
import ProgramVersion

/// The machines of the configuration, what was pinned about them, and the way to reach them.
struct MachineRoom: Sendable {
  let context: CommandContext
  /// The folder of the store, in which the pins are.
  let folder: String
  private let store: String

  init(_ context: CommandContext) throws(CommandError) {
    self.context = context
    store = try context.storePath()
    folder = store.folderOfPath
  }

  var console: Console { context.console }
  var machines: [ConfiguredMachine] { context.configuration.machines }
  var configurationFile: String { context.probes.configFile }

  /// The id of the broker on this side.
  var ownID: String { BrokerID.of(store: store, user: ProcessUser.own) }

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
    guard let id = book.id(of: machine.name) else { return .failure(.notAdded) }
    guard id != ownID else { return .failure(.thisMachine) }
    return await open(machine, keysFile: MachineBook.keysFile(inFolder: folder), .pinned, id: id)
  }

  /// Connects to a machine whatever it is, and returns what it says about itself, and its host keys.
  func meet(_ machine: ConfiguredMachine) throws -> (hello: MachineHello, keys: [HostKeys.Key]) {
    do throws(SystemError) { try Folder.make(folder) } catch { throw CommandError("\(error)") }
    let file = "\(folder)/machines.first-\(RandomID.make())"
    defer { Files.remove(file) }
    let result = AsyncBridge.wait { await open(machine, keysFile: file, .firstContact, id: nil) }
    let hello = try result.get().hello
    let keys = HostKeys(Files.text(of: file) ?? "")[machine.name]
    guard !keys.isEmpty else { throw MachineFault.noSSH("it has not told the host key") }
    return (hello, keys)
  }

  private func open(
    _ machine: ConfiguredMachine, keysFile: String, _ rule: SSHCommand.HostKeyRule, id: String?
  ) async -> Result<MachineLink, MachineFault> {
    do throws(MachineFault) {
      let command = try SSHCommand(machine, keysFile: keysFile, rule)
      return await MachineLink.open(
        machine, by: command, id: id, version: Version.current,
        now: { [world = context.world] in world.now().wall })
    } catch {
      return .failure(error)
    }
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
