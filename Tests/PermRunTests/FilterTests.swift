import CWalls
import Testing

@Suite("The filter of system calls")
struct FilterTests {
  enum Verdict: Equatable {
    case allow
    case error(UInt32)
    /// The warden makes the call.
    case notify
    case other(UInt32)
  }

  private static let machines: [walls_machine] = [walls_x86_64, walls_arm64]
  private static let architectures: [UInt32: UInt32] = [
    walls_x86_64.rawValue: 0xc000_003e, walls_arm64.rawValue: 0xc000_00b7,
  ]
  private let forbidden = Verdict.error(1)
  private let absent = Verdict.error(38)

  /// Runs the filter as the kernel does.
  private func verdict(
    _ machine: walls_machine, _ number: Int32, _ arguments: [UInt64] = [], architecture: UInt32? = nil
  ) -> Verdict {
    var program = [walls_instruction](
      repeating: walls_instruction(), count: Int(walls_instructions_limit))
    let count = Int(walls_filter(machine, &program))
    let given = arguments + Array(repeating: 0, count: 6 - arguments.count)
    let machineNumber = architecture ?? Self.architectures[machine.rawValue] ?? 0
    let halves: [UInt32] = given.flatMap { [UInt32(truncatingIfNeeded: $0), UInt32($0 >> 32)] }
    let words: [UInt32] = [UInt32(bitPattern: number), machineNumber, 0, 0] + halves
    var position = 0
    var value: UInt32 = 0
    while position < count {
      let step = program[position]
      position += 1
      switch step.code {
      case 0x20: value = words[Int(step.value / 4)]
      case 0x54: value &= step.value
      case 0x15: position += Int(value == step.value ? step.if_true : step.if_false)
      case 0x45: position += Int(value & step.value != 0 ? step.if_true : step.if_false)
      case 0x05: position += Int(step.value)
      case 0x06:
        if step.value == 0x7fff_0000 { return .allow }
        if step.value == 0x7fc0_0000 { return .notify }
        return step.value >> 16 == 5 ? .error(step.value & 0xffff) : .other(step.value)
      default: return .other(UInt32(step.code))
      }
    }
    return .other(0)
  }

  private func calls(_ machine: walls_machine) -> [(name: String, number: Int32, kind: Character)] {
    (0...).lazy.map { walls_call_at(machine, $0) }.prefix { $0.name != nil }.map { call in
      (String(cString: call.name), call.number, Character(UnicodeScalar(UInt8(bitPattern: call.kind))))
    }
  }

  private func number(_ machine: walls_machine, _ name: String) throws -> Int32 {
    try #require(calls(machine).first { $0.name == name }?.number)
  }

  @Test("Each call of the table gets what the table says", arguments: machines)
  func table(machine: walls_machine) {
    #expect(calls(machine).count > 330)
    for call in calls(machine) where call.number >= 0 && call.kind != "C" {
      let expected: [Character: Verdict] = ["A": .allow, "R": forbidden, "N": .notify]
      #expect(verdict(machine, call.number) == expected[call.kind], "\(call.name)")
    }
  }

  @Test("Connecting, binding and listening are the warden's, whatever the arguments", arguments: machines)
  func taken(machine: walls_machine) throws {
    #expect(Set(calls(machine).filter { $0.kind == "N" }.map(\.name)) == ["connect", "bind", "listen"])
    for name in ["connect", "bind", "listen"] {
      for argument: UInt64 in [0, 1, 2, .max] {
        let arguments = [UInt64](repeating: argument, count: 6)
        #expect(verdict(machine, try number(machine, name), arguments) == .notify)
      }
    }
  }

  @Test("No number stands for two calls", arguments: machines)
  func numbers(machine: walls_machine) {
    let numbers = calls(machine).map(\.number).filter { $0 >= 0 }
    #expect(Set(numbers).count == numbers.count)
  }

  @Test("A call that is not in the table does not exist", arguments: machines)
  func unknown(machine: walls_machine) {
    let known = Set(calls(machine).map(\.number))
    for number in Int32(0)..<1000 where !known.contains(number) {
      #expect(verdict(machine, number) == absent)
    }
  }

  @Test("The calls of other machines, and those with the x32 bit, do not exist", arguments: machines)
  func otherMachines(machine: walls_machine) {
    for call in calls(machine) where call.number >= 0 {
      #expect(verdict(machine, call.number, architecture: 0x4000_0003) == absent)
      #expect(verdict(machine, call.number | 0x4000_0000) == absent)
    }
  }

  @Test("A process can be made, but no namespace", arguments: machines)
  func clone(machine: walls_machine) throws {
    let clone = try number(machine, "clone")
    #expect(verdict(machine, clone, [0x3d0f00]) == .allow)
    for flag: UInt64 in [0x2_0000, 0x200_0000, 0x400_0000, 0x800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000]
    {
      #expect(verdict(machine, clone, [flag | 17]) == forbidden)
      // The kernel ignores the upper half, so the filter must not be misled by it.
      #expect(verdict(machine, clone, [0xffff_0000_0000_0000 | flag]) == forbidden)
    }
  }

  @Test("No character can be put into a terminal's input", arguments: machines)
  func terminals(machine: walls_machine) throws {
    let ioctl = try number(machine, "ioctl")
    for request: UInt64 in [0x5412, 0x541c, 0x1_0000_5412] {
      #expect(verdict(machine, ioctl, [0, request]) == forbidden)
    }
    #expect(verdict(machine, ioctl, [0, 0x5413]) == .allow)
  }

  @Test(
    "Sockets are TCP and UDP, streams of the Unix family, and the questions about the own network",
    arguments: machines)
  func sockets(machine: walls_machine) throws {
    let socket = try number(machine, "socket")
    let flags: UInt64 = 0o2004000
    for family: UInt64 in [2, 10] {
      for (type, protocols) in [(UInt64(1), [UInt64(0), 6]), (2, [0, 17])] {
        for given in protocols { #expect(verdict(machine, socket, [family, type | flags, given]) == .allow) }
        for given: UInt64 in [1, 58, 132, 255, 262] {
          #expect(verdict(machine, socket, [family, type, given]) == .error(93))
        }
      }
      #expect(verdict(machine, socket, [family, 3, 0]) == .error(93))
    }
    #expect(verdict(machine, socket, [16, 3, 0]) == .allow)
    #expect(verdict(machine, socket, [16, 3, 9]) == .error(93))
    for type: UInt64 in [1, 5] { #expect(verdict(machine, socket, [1, type | flags, 0]) == .allow) }
    // A raw socket of the Unix family is one of datagrams, which sends to any other without connecting.
    for type: UInt64 in [0, 2, 3, 4, 6, 10] {
      #expect(verdict(machine, socket, [1, type | flags, 0]) == .error(93))
    }
    for family: UInt64 in [0, 3, 17, 29, 31, 38, 40] {
      for type: UInt64 in [1, 2, 3, 5] { #expect(verdict(machine, socket, [family, type, 0]) == .error(97)) }
    }
  }

  @Test("Pairs of sockets cannot send to others", arguments: machines)
  func pairs(machine: walls_machine) throws {
    let pair = try number(machine, "socketpair")
    #expect(verdict(machine, pair, [1, 1]) == .allow)
    #expect(verdict(machine, pair, [1, 5]) == .allow)
    for type: UInt64 in [0, 2, 3, 4] { #expect(verdict(machine, pair, [1, type]) == .error(93)) }
    #expect(verdict(machine, pair, [1, 0o2000002]) == .error(93))
  }

  @Test("No call but connect makes a connection", arguments: machines)
  func fastOpen(machine: walls_machine) throws {
    for (name, index) in [("sendto", 3), ("sendmsg", 2), ("sendmmsg", 3)] {
      var arguments = [UInt64](repeating: 0, count: 6)
      let call = try number(machine, name)
      #expect(verdict(machine, call, arguments) == .allow)
      arguments[index] = 0x2000_0000
      #expect(verdict(machine, call, arguments) == .error(95))
    }
  }
}
