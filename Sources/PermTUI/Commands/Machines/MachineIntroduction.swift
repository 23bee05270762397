import PermBroker
import PermModel

/// The first contact with a machine, and the next one with a machine that changed.
struct MachineIntroduction {
  private let room: MachineRoom
  private var console: Console { room.console }

  init(_ room: MachineRoom) { self.room = room }

  func add(_ machine: ConfiguredMachine, write: Bool) throws -> ExitStatus {
    let earlier = try room.book()
    let table = try MachineTable(machine, room).addition()
    let (hello, keys) = try meet(machine)
    try check(hello, machine, earlier)
    if let id = earlier.id(of: machine.name) {
      return try addedAlready(
        machine, isSame: id == hello.id && earlier.keys[machine.name] == keys, table, write)
    }
    try show(machine, hello, keys)
    try show(table)
    guard write else {
      console.note(
        """
        Compare the host key with what the machine itself says: ssh-keygen -lf /etc/ssh/ssh_host_\(keys[0].shortType)_key.pub
        Nothing is kept yet. If all of this is right: \(command(machine))
        """)
      return .done
    }
    try keep(table)
    try pin(machine, hello, keys)
    console.note("\(machine.name.text) is added.")
    return .done
  }

  private func addedAlready(
    _ machine: ConfiguredMachine, isSame: Bool, _ table: SettingsChange, _ write: Bool
  ) throws -> ExitStatus {
    let name = machine.name.text
    guard isSame else {
      throw CommandError(
        "\(name) was added before, and is not the same any more",
        advice: ["see what changed: permtui machine trust \(name)"])
    }
    try show(table)
    if write { try keep(table) }
    console.note("\(name) was added before, and is the same.")
    return .done
  }

  func trust(_ machine: ConfiguredMachine, write: Bool) throws -> ExitStatus {
    let (book, name) = (try room.book(), machine.name.text)
    guard let id = book.id(of: machine.name) else { throw CommandError(MachineFault.notAdded, of: machine) }
    let (hello, keys) = try meet(machine)
    try check(hello, machine, book)
    let old = book.keys[machine.name]
    guard id != hello.id || old != keys else {
      console.note("\(name) is the same as when it was added.")
      return .done
    }
    try show(machine, hello, keys, id, old)
    guard write else {
      console.note("Nothing is changed yet. If you know why it changed: permtui machine trust \(name) --yes")
      return .denied
    }
    try pin(machine, hello, keys)
    console.note("\(name) is trusted as it is now.")
    return .done
  }

  // MARK: Looking

  private func meet(_ machine: ConfiguredMachine) throws -> (hello: MachineHello, keys: [HostKeys.Key]) {
    do { return try room.meet(machine) } catch let fault as MachineFault {
      throw CommandError(fault, of: machine)
    }
  }

  /// Throws an error if the machine is known under another name, or is this one.
  private func check(
    _ hello: MachineHello, _ machine: ConfiguredMachine, _ book: MachineBook
  ) throws(CommandError) {
    guard hello.id != room.ownID else { throw CommandError(MachineFault.thisMachine, of: machine) }
    if let other = book.pins.name(of: hello.id), other != machine.name {
      throw CommandError(MachineFault.sameAs(other.text), of: machine)
    }
  }

  /// Prints what a machine shows and says, and what was pinned before, if that is something else.
  private func show(
    _ machine: ConfiguredMachine, _ hello: MachineHello, _ keys: [HostKeys.Key], _ oldID: String? = nil,
    _ oldKeys: [HostKeys.Key] = []
  ) throws {
    try console.print("\(machine.name.text)  \(hello.words)")
    if !oldKeys.isEmpty, oldKeys != keys {
      for key in oldKeys { try print("old host key", "\(key.shortType) \(key.fingerprint)", .denied) }
    }
    for key in keys { try print("host key", "\(key.shortType) \(key.fingerprint)") }
    if let oldID, oldID != hello.id { try print("old id", oldID, .denied) }
    try print("id", hello.id)
    let name = hello.operatorName.map { ", and knows you as \($0.text)" } ?? ""
    try print("passes on", hello.passes.rawValue + name)
  }

  private func print(_ what: String, _ text: String, _ role: Style.Role = .normal) throws {
    let blanks = String(repeating: " ", count: 14 - what.count)
    try console.print("  \(what)\(blanks)\(console.colors.colored(console.visible(written: text), as: role))")
  }

  private func show(_ table: SettingsChange) throws {
    guard table.isNeeded else { return }
    try console.print(foreign: room.configurationFile + (table.file.content == nil ? ": a new file" : ""))
    for case .added(let line) in table.lines {
      try console.print(console.colors.colored("  + \(console.visible(line))", as: .allowed))
    }
  }

  /// The command that adds a machine as it was asked for.
  private func command(_ machine: ConfiguredMachine) -> String {
    guard !room.machines.contains(machine) else { return "permtui machine add \(machine.name.text) --write" }
    let destination =
      machine.destination == SSHDestination(machine.name) ? nil : machine.destination.text.shellQuoted
    let options = [
      destination, machine.kind.map { "--class \($0)" }, machine.colour.map { "--colour \($0)" }, "--write",
    ]
    return (["permtui machine add \(machine.name.text)"] + options.compactMap(\.self)).joined(separator: " ")
  }

  // MARK: Keeping

  private func keep(_ table: SettingsChange) throws {
    guard table.isNeeded, let copy = try table.file.write(table.after, at: room.context.now) else { return }
    console.note(console.visible("The old file is kept as \(copy)."))
  }

  private func pin(_ machine: ConfiguredMachine, _ hello: MachineHello, _ keys: [HostKeys.Key]) throws {
    let now = room.context.now
    do {
      try room.change { book throws(MachineFault) in try book.pin(hello.id, keys, to: machine.name, at: now) }
    } catch let fault as MachineFault {
      throw CommandError(fault, of: machine)
    }
  }
}

/// The table of a machine in the configuration file.
struct MachineTable {
  private let machine: ConfiguredMachine
  private let room: MachineRoom

  init(_ machine: ConfiguredMachine, _ room: MachineRoom) {
    (self.machine, self.room) = (machine, room)
  }

  private var lines: [String] {
    let destination = machine.destination == SSHDestination(machine.name) ? nil : machine.destination.text
    return ["[machines.\(machine.name.tomlKey)]"]
      + [
        destination.map { "ssh = \"\($0)\"" }, machine.kind.map { "class = \"\($0)\"" },
        machine.colour.map { "colour = \($0)" },
      ].compactMap(\.self)
  }

  /// Returns the file with the table at its end; the file as it is if the machine is configured already.
  ///
  /// - Throws: ``CommandError`` if the table would not be read at that place.
  func addition() throws(CommandError) -> SettingsChange {
    let file = try SettingsFile(room.configurationFile)
    let content = file.content.map { String(decoding: $0, as: UTF8.self) } ?? ""
    if read(content).machines.contains(machine) { return SettingsChange(file: file, after: file.content) }
    let gap = content.isEmpty ? "" : content.hasSuffix("\n") ? "\n" : "\n\n"
    let after = content + gap + lines.map { $0 + "\n" }.joined()
    let (before, result) = (read(content), read(after))
    guard result.machines.contains(machine), result.problems.count <= before.problems.count else {
      throw CommandError(
        "\(room.configurationFile) has a mistake that is in the way",
        advice: ["permtui capabilities --check shows it; nothing was changed"])
    }
    return SettingsChange(file: file, after: Array(after.utf8))
  }

  private func read(_ text: String) -> UserConfiguration {
    UserConfiguration(text: text, file: room.configurationFile, room.context.probes)
  }
}
