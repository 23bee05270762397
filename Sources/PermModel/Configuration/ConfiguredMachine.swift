/// A machine whose requests a person wants to see, from a table `[machines.NAME]`.
package struct ConfiguredMachine: Hashable, Sendable {
  /// The person's own name for the machine.
  package var name: RemoteName
  /// The destination for OpenSSH.
  package var destination: SSHDestination
  /// A word for the kind of machine, such as `prod`; `nil` if there is none.
  package var kind: String?
  /// The number of one of the terminal's eight colours; `nil` if there is none.
  package var colour: Int?

  package static let colours = 0...7

  package init(name: RemoteName, destination: SSHDestination, kind: String? = nil, colour: Int? = nil) {
    (self.name, self.destination, self.kind, self.colour) = (name, destination, kind, colour)
  }

  /// Returns the reason why a word cannot be the class of a machine; `nil` if it can.
  package static func mistake(inKind text: String) -> String? {
    let isWord = text.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2d
    }
    return isWord && (1...16).contains(text.utf8.count)
      ? nil : "must be a word of 1 to 16 of the characters a-z, 0-9 and '-', for example \"prod\""
  }
}

/// The destination that OpenSSH is told to connect to: a host, `user@host`, an alias of `~/.ssh/config`, or `ssh://user@host:port`.
package struct SSHDestination: Hashable, Sendable {
  package let text: String

  package struct Refused: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String {
      "must be what ssh connects to, such as web1, ana@web1 or ssh://ana@web1:2222: "
        + "1 to 255 plain characters without blanks, not beginning with '-'"
    }
  }

  /// Checks a destination. It never reads like an option of ssh, and has no character that ssh or a shell treats in a
  /// special way.
  package init(_ text: some StringProtocol) throws(Refused) {
    guard (1...255).contains(text.utf8.count), text.utf8.first != UInt8(ascii: "-"),
      text.utf8.allSatisfy(Self.isPlain)
    else { throw Refused() }
    self.text = String(text)
  }

  package init(_ name: RemoteName) { text = name.text }

  private static let signs = Set("@:/.-_[]%+~,=".utf8)

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x30...0x39: true
    default: signs.contains(byte)
    }
  }
}

extension ConfiguredMachine {
  /// Reads the tables below `[machines]`, in the order of the file. A table with a mistake in it is left out, because an
  /// answer for another machine than the one that was meant would be worse than none.
  static func read(_ all: inout ConfigurationTable) -> [ConfiguredMachine] {
    var machines: [ConfiguredMachine] = []
    for key in all.values.keys {
      guard var table = all.table(key) else { continue }
      if let machine = ConfiguredMachine(key, &table, after: machines) { machines.append(machine) }
      all.report(table.problems)
    }
    return machines
  }

  private init?(_ key: String, _ table: inout ConfigurationTable, after others: [ConfiguredMachine]) {
    guard let name = Self.name(key, &table, others) else { return nil }
    self.init(name: name, destination: SSHDestination(name))
    if let text = table.text("ssh") {
      do { destination = try SSHDestination(text) } catch { table.report("ssh", "\(error)") }
    }
    if let word = table.text("class") {
      if let mistake = Self.mistake(inKind: word) { table.report("class", mistake) } else { kind = word }
    }
    colour = table.number("colour", in: Self.colours)
    table.reportUnknownKeys()
    guard table.problems.isEmpty, !table.values.isDamaged else { return nil }
  }

  private static func name(
    _ key: String, _ table: inout ConfigurationTable, _ others: [ConfiguredMachine]
  ) -> RemoteName? {
    do throws(RemoteName.Refused) {
      let name = try RemoteName(key)
      guard let other = others.first(where: { $0.name.folded == name.folded }) else { return name }
      table.report(nil, "can be mistaken for \"\(other.name.text)\"; give one of them another name")
    } catch {
      table.report(nil, "\(error); give the machine another name")
    }
    return nil
  }
}
