import PermBroker
import PermModel

// Other machines, whose alerts come up in this dashboard, too.

extension Alert {
  /// Whether a program of this machine asks.
  var isOfThisMachine: Bool { id.machine.isEmpty }
}

extension Desk {
  /// Returns the machine whose alert this is; `nil` for this machine.
  private func machine(of alert: Alert) -> ShownMachine? {
    alert.isOfThisMachine ? nil : picture.machines.first { $0.id == alert.id.machine }
  }

  /// Returns the machine of an alert in words; `nil` if the person answers for one machine only.
  func place(of alert: Alert) -> RequestFacts.Place? {
    if let machine = machine(of: alert) {
      return .init(name: machine.machine.name.text, words: machine.words)
    }
    guard alert.isOfThisMachine else {
      return .init(name: nil, words: "a machine that is no longer configured")
    }
    return picture.machines.isEmpty ? nil : .init(name: nil, words: "this machine")
  }

  /// The style of a machine's name. The colour is the one that the person has given to the machine.
  func style(ofMachineOf alert: Alert) -> Style {
    guard let machine = machine(of: alert) else { return Style(bold: true) }
    return Style(
      machine.machine.colour.map(Style.Role.init(machineColour:)) ?? .accent, bold: true, reverse: true)
  }

  /// Returns a sentence that says why nothing can be answered on the machine of an alert now; `nil` if answers are possible.
  func obstacle(to alert: Alert) -> String? {
    machine(of: alert).flatMap { machine in machine.obstacle.map { "\(machine.machine.name.text) \($0)." } }
  }

  /// The name of the machine of an alert, or of another waiting item; `nil` for this machine.
  func machineName(of id: Alert.ID) -> String? {
    picture.machines.first { $0.id == id.machine && !id.machine.isEmpty }?.machine.name.text
  }

  /// The ids of the machines on which more waits than is listed.
  var machinesWithMore: [String] { picture.machines.filter { $0.unlistedCount > 0 }.compactMap(\.id) }

  /// Returns how much waits on a machine beyond what is listed, in words.
  func unlistedWords(on machine: String) -> String {
    guard let machine = picture.machines.first(where: { $0.id == machine }) else { return "" }
    return "\(machine.machine.name.text): \(machine.unlistedCount) more wait there"
  }

  /// A sentence about the machines on which nothing can be answered, and about those that show too many alerts; `nil` if
  /// all is well.
  var machineTrouble: String? {
    let out = picture.machines.filter { if case .out = $0.standing { true } else { false } }
    let sentences =
      out.prefix(1).map { machine in "\(machine.machine.name.text) \(machine.obstacle ?? "")" }
      + (out.count > 1 ? ["\(out.count - 1) more: permtui machine list"] : [])
      + picture.machines.filter { $0.heldCount > 0 }.map { "\($0.machine.name.text): more waits, held" }
      + picture.machines.compactMap { machine in
        machine.standing.hello?.skewInWords.map { "\(machine.machine.name.text): \($0)" }
      }
    return sentences.isEmpty ? nil : sentences.joined(separator: "; ")
  }
}
