import ArgumentParser
import PermModel

struct MachineCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "machine",
    abstract: "List the other machines that you answer for; add, trust and forget them.",
    discussion: """
      Actions:
        list    connects to each [machines.NAME] of your configuration, and says what can be done there
        add     makes first contact, shows the machine's host key and id, and with --write adds it
        trust   shows what changed about a machine, and with --yes trusts it as it is now
        forget  takes back what was added, so that nothing can be answered there

      OpenSSH makes the connections, with your keys and your ~/.ssh/config, but without passwords and with host keys of \
      permtui's own. On the machine, one line in authorized_keys lets you in; see 'permtui bridge'.

      The exit status of list is 0 if all is well, 3 if a machine is out of reach, 2 if anything else is wrong, and 1 if \
      there is no machine.

      Examples:
        permtui machine list
        permtui machine add web1
        permtui machine add web1 ana@web1.example.org --class prod --colour 1 --write
        permtui machine trust web1
        permtui machine forget web1
      """)

  enum Deed: String, ExpressibleByArgument, CaseIterable { case list, add, trust, forget }

  @Argument(help: ArgumentHelp("One of list, add, trust and forget.", valueName: "what"))
  var deed: Deed

  @Argument(help: "Your name for the machine.", completion: .custom(Completion.machines))
  var name: String?

  @Argument(
    help: ArgumentHelp(
      "The destination for ssh, as in ana@web1 or ssh://web1:2222; the name unless given.",
      valueName: "destination"))
  var destination: String?

  @Option(
    name: .customLong("class"),
    help: ArgumentHelp("With add: the kind of machine, a word.", valueName: "word"))
  var kind: String?

  @Option(help: ArgumentHelp("With add: one of the terminal's colours, 0 to 7.", valueName: "number"))
  var colour: Int?

  @Flag(help: "With add: add the machine that was reached.")
  var write = false

  @Flag(help: "With trust: trust the machine as it is now.")
  var yes = false

  @Flag(help: "With list: print one JSON document.")
  var json = false

  @OptionGroup var shared: SharedOptions

  func validate() throws {
    guard deed == .add || (destination == nil && kind == nil && colour == nil && !write) else {
      throw ValidationError("a destination, --class, --colour and --write belong to add")
    }
    guard deed == .trust || !yes else { throw ValidationError("--yes belongs to trust") }
    guard deed == .list || !json else { throw ValidationError("--json belongs to list") }
    guard (deed == .list) == (name == nil) else {
      throw ValidationError(deed == .list ? "list takes no name" : "say which machine: \(deed) NAME")
    }
  }

  func run(in context: CommandContext) throws -> ExitStatus {
    let room = try MachineRoom(context)
    guard let name else { return try MachineListing(room).print(asJSON: json) }
    let machine = try RemoteName(typed: name)
    switch deed {
    case .list: return .usage
    case .add: return try MachineIntroduction(room).add(wanted(machine, room), write: write)
    case .trust: return try MachineIntroduction(room).trust(room.configured(machine), write: yes)
    case .forget: return try room.forget(machine)
    }
  }

  /// Returns the machine that is added: one of the configuration, or a new one.
  private func wanted(_ name: RemoteName, _ room: MachineRoom) throws(CommandError) -> ConfiguredMachine {
    let given = destination != nil || kind != nil || colour != nil
    if let known = room.machines.first(where: { $0.name == name }) {
      guard !given else {
        throw .usage("\(name.text) is configured already", advice: ["change it in \(room.configurationFile)"])
      }
      return known
    }
    if let other = room.machines.first(where: { $0.name.folded == name.folded }) {
      throw .usage("\(name.text) can be mistaken for \(other.name.text); use another name")
    }
    if let kind, let mistake = ConfiguredMachine.mistake(inKind: kind) { throw .usage("--class \(mistake)") }
    if let colour, !ConfiguredMachine.colours.contains(colour) {
      throw .usage("--colour must be a whole number from 0 to 7")
    }
    let destination = try destination.map { text throws(CommandError) in try SSHDestination(typed: text) }
    return ConfiguredMachine(
      name: name, destination: destination ?? SSHDestination(name), kind: kind, colour: colour)
  }
}

extension RemoteName {
  fileprivate init(typed text: String) throws(CommandError) {
    do { try self.init(text) } catch { throw .usage("\(error)") }
  }
}

extension SSHDestination {
  fileprivate init(typed text: String) throws(CommandError) {
    do { try self.init(text) } catch { throw .usage("the destination \(error)") }
  }
}
