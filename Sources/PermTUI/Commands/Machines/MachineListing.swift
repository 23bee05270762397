import PermBroker
import PermModel

/// A look at all machines of the configuration, as `permtui machine list` prints it.
struct MachineListing {
  /// A machine, and what was found there.
  struct Row: Sendable {
    var machine: ConfiguredMachine
    var found: Result<MachineHello, MachineFault>
  }

  /// The number of machines that are looked at together. Each connection takes two processes to set up.
  private static let together = 8

  private let room: MachineRoom

  init(_ room: MachineRoom) { self.room = room }

  func print(asJSON: Bool) throws -> ExitStatus {
    let (console, book) = (room.console, try room.book())
    console.note(room.context.configuration.problems)
    let rows = AsyncBridge.wait { await look(book) }
    if asJSON {
      try console.print(["machines": .list(rows.map(\.json))] as JSON)
    } else if rows.isEmpty {
      console.note("No machine is configured. To add one: permtui machine add NAME")
    } else {
      try console.print(Self.table(rows))
      for advice in rows.compactMap(\.advice) { console.note(advice) }
    }
    return Self.status(rows)
  }

  private func look(_ book: MachineBook) async -> [Row] {
    let machines = room.machines
    return await withTaskGroup(of: (Int, Row).self) { [room] group in
      var found: [Int: Row] = [:]
      for (number, machine) in machines.enumerated() {
        if number >= Self.together, let (place, row) = await group.next() { found[place] = row }
        group.addTask {
          (number, Row(machine: machine, found: await room.open(machine, book).map(\.hello)))
        }
      }
      for await (place, row) in group { found[place] = row }
      return machines.indices.compactMap { found[$0] }
    }
  }

  private static func status(_ rows: [Row]) -> ExitStatus {
    guard !rows.isEmpty else { return .denied }
    let faults = rows.compactMap(\.fault)
    return faults.isEmpty ? .done : faults.allSatisfy(\.isPassing) ? .noAnswer : .failed
  }

  private static func table(_ rows: [Row]) -> Table {
    var table = Table(
      "Machine", "Destination", "Passes on", "State",
      fitting: [.shortenEnd("Destination"), .drop("Destination")])
    for row in rows {
      let kind = row.machine.kind.map { " · \($0)" } ?? ""
      table.add(
        .init(row.machine.name.text + kind), .init(row.machine.destination.text), .init(row.passes),
        .init(written: row.state, row.role))
    }
    return table
  }
}

extension MachineListing.Row {
  fileprivate var fault: MachineFault? {
    if case .failure(let fault) = found { fault } else { nil }
  }

  private var hello: MachineHello? { try? found.get() }

  fileprivate var advice: String? { fault.map { "\(machine.name.text): \($0.advice(machine))" } }

  fileprivate var passes: String {
    hello.map { $0.passes.rawValue + ($0.operatorName.map { ", as \($0.text)" } ?? "") } ?? ""
  }

  /// The state, in which all foreign text is escaped already.
  fileprivate var state: String {
    switch found {
    case .success(let hello): "reachable, \(hello.words)"
    case .failure(let fault): "\(fault)"
    }
  }

  fileprivate var role: Style.Role {
    switch found {
    case .success(let hello): hello.skewInWords == nil ? .allowed : .attention
    case .failure: .denied
    }
  }

  fileprivate var json: JSON {
    [
      "advice": JSON(fault?.advice(machine)), "class": JSON(machine.kind),
      "clock_ahead_ms": hello.map { .integer($0.skew.wholeMicroseconds / 1_000) } ?? .null,
      "colour": machine.colour.map { .integer(Int64($0)) } ?? .null, "fault": JSON(fault?.word),
      "host": JSON(hello?.host), "id": JSON(hello?.id), "name": .text(machine.name.text),
      "operator": JSON(hello?.operatorName?.text), "passes": JSON(hello?.passes.rawValue),
      "ssh": .text(machine.destination.text), "text": JSON(fault.map { "\($0)" }),
      "version": JSON(hello?.version),
    ]
  }
}

extension MachineHello {
  /// The description that the machine gives of itself, in words.
  var words: String {
    let skew = skewInWords.map { "; \($0)" } ?? ""
    let name = host.replacing("\"", with: "\\\"")
    return "calls itself \"\(name)\", permtui \(version)\(skew)"
  }
}
