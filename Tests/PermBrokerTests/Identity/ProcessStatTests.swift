import Testing

@testable import PermBroker

@Suite("Reading /proc/PID/stat")
struct ProcessStatTests {
  private func line(name: String, terminal: Int32 = 34_819, flags: UInt32 = 0x40_0000) -> [UInt8] {
    Array("4711 (\(name)) S 42 1 1 \(terminal) -1 \(flags) 0 0 0 0 0 0 0 0 20 0 1 0 112417 0 0\n".utf8)
  }

  @Test(
    "A name may hold spaces and parentheses", arguments: ["bash", "a b", ") R 1 (", "((", "tmux: server"])
  func names(_ name: String) throws {
    let stat = try #require(ProcessStat(line(name: name)))
    #expect(stat.name == name)
    #expect(stat.parent == 42)
    #expect(stat.startTime == 112417)
  }

  @Test("Terminals have the names of their devices")
  func terminals() throws {
    #expect(ProcessStat(line(name: "x", terminal: 0))?.terminal == nil)
    #expect(ProcessStat(line(name: "x", terminal: 34_819))?.terminal == "pts/3")
    #expect(ProcessStat(line(name: "x", terminal: 1025))?.terminal == "tty1")
    // This is minor 300 of major 136: the low byte, and the rest above the major.
    #expect(ProcessStat(line(name: "x", terminal: 0x10882c))?.terminal == "pts/300")
  }

  @Test("A fork that executed nothing is told")
  func forks() {
    #expect(ProcessStat(line(name: "x", flags: 0x40_0040))?.isFork == true)
    #expect(ProcessStat(line(name: "x"))?.isFork == false)
  }

  @Test(
    "A line that is cut or no such line gives nothing",
    arguments: ["", "4711", "4711 (x", "4711 (x) S 42", ")x("])
  func garbage(_ text: String) {
    #expect(ProcessStat(Array(text.utf8)) == nil)
  }
}
