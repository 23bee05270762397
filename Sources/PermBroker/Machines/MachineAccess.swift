import Machine
package import PermModel

/// The means to reach machines: what is pinned about them, and what they must not be.
package struct MachineAccess: Sendable {
  /// The folder of the store, in which the pins are.
  package let folder: String
  /// The id of the broker on this side.
  package let ownID: String
  private let version: String
  private let now: @Sendable () -> Timestamp

  /// - Parameters:
  ///   - store: The path of the store on this side.
  ///   - version: The version of this program.
  ///   - now: The present moment.
  package init(store: String, version: String, now: @escaping @Sendable () -> Timestamp) {
    folder = store.folderOfPath
    ownID = BrokerID.of(store: store, user: ProcessUser.own)
    (self.version, self.now) = (version, now)
  }

  /// Connects to a machine, and accepts only what is pinned now.
  func open(_ machine: ConfiguredMachine) async -> Result<MachineLink, MachineFault> {
    do throws(MachineBook.Problem) {
      return await open(machine, try MachineBook.read(inFolder: folder))
    } catch {
      return .failure(.noPins("\(error)"))
    }
  }

  /// Connects to a machine, and accepts only what is pinned.
  package func open(_ machine: ConfiguredMachine, _ book: MachineBook) async -> Result<
    MachineLink, MachineFault
  > {
    guard let id = book.id(of: machine.name) else { return .failure(.notAdded) }
    guard id != ownID else { return .failure(.thisMachine) }
    return await open(machine, keysFile: MachineBook.keysFile(inFolder: folder), .pinned, id: id)
  }

  /// Connects to a machine whatever it is, and returns what it says about itself, and its host keys.
  package func meet(
    _ machine: ConfiguredMachine
  ) async throws -> (hello: MachineHello, keys: [HostKeys.Key]) {
    try Folder.make(folder)
    let file = "\(folder)/machines.first-\(RandomID.make())"
    defer { Files.remove(file) }
    let hello = try await open(machine, keysFile: file, .firstContact, id: nil).get().hello
    let keys = HostKeys(Files.text(of: file) ?? "")[machine.name]
    guard !keys.isEmpty else { throw MachineFault.noSSH("it has not told the host key") }
    return (hello, keys)
  }

  private func open(
    _ machine: ConfiguredMachine, keysFile: String, _ rule: SSHCommand.HostKeyRule, id: String?
  ) async -> Result<MachineLink, MachineFault> {
    do throws(MachineFault) {
      let command = try SSHCommand(machine, keysFile: keysFile, rule)
      return await MachineLink.open(machine, by: command.arguments, id: id, version: version, now: now)
    } catch {
      return .failure(error)
    }
  }
}
