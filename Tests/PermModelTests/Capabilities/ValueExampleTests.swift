import Glibc
import Machine
import Testing

@testable import PermModel

@Suite("Examples of capabilities with values")
struct ValueExampleTests {
  private let environment = ProbeEnvironment(home: "/nonexistent")

  private func example(_ text: String) throws -> CapabilityExample? {
    let reference = try CapabilityCatalogue.builtIn.parse(text)
    return CapabilityCatalogue.builtIn[reference.capability]?.capability(asking: reference.atoms).example
  }

  @Test("Commands runs the program true")
  func commands() async throws {
    let example = try #require(try example("commands:run@ls"))
    #expect(try await example.run(in: environment) == "It ended with status 0.")
  }

  @Test("Network connects to a host and a port, and offers nothing without a port")
  func network() async throws {
    #expect(try example("network:connect@127.0.0.1") == nil)
    #expect(try example("network:listen@127.0.0.1:80") == nil)
    let server = try #require(LocalPort(isListening: true))
    let answered = try #require(try example("network:connect@127.0.0.1:\(server.number)"))
    #expect(try await answered.run(in: environment) == "127.0.0.1:\(server.number) accepts connections.")
    let silent = try #require(LocalPort(isListening: false))
    let refused = try #require(try example("network:connect@127.0.0.1:\(silent.number)"))
    #expect(try await refused.run(in: environment).hasPrefix("No connection: "))
    withExtendedLifetime((server, silent)) {}
  }

  @Test("A program that takes too long is ended")
  func slowProgram() async {
    #expect(await Program.run(["sleep", "1000"], within: 50) == nil)
    #expect(await Program.run(["/nonexistent/program"], within: 5000) == nil)
    let ending = await Program.run(["sh", "-c", "echo out; exit 3"], within: 60_000)
    #expect(ending?.status == 3 && ending?.output == "out\n")
  }

  @Test("Files measures a folder with everything below it")
  func files() async throws {
    let folder = try ScratchFolder()
    try folder.file("a", "12345")
    try folder.folder("below")
    try folder.file("below/b", "678")
    let example = try #require(try example("files:read@\(folder.path)/"))
    #expect(try await example.run(in: environment) == "2 files, 8 bytes.")
  }

  @Test("Environment measures a variable, and System looks up the name of the machine")
  func facts() async throws {
    let path = try #require(Machine.Environment.variable("PATH"))
    let length = try #require(try example("environment:read@PATH"))
    #expect(try await length.run(in: environment) == "\(path.utf8.count.grouped) bytes.")
    let missing = try #require(try example("environment:read@PERMTUI_NOT_SET"))
    #expect(try await missing.run(in: environment) == "PERMTUI_NOT_SET is not set.")
    let host = try #require(try example("system:look@hostname"))
    var buffer = [CChar](repeating: 0, count: 256)
    gethostname(&buffer, buffer.count - 1)
    let expected = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    #expect(try await host.run(in: environment) == "\(String(decoding: expected, as: UTF8.self)).")
  }

  @Test("Keys looks for the whole fingerprint")
  func keys() async throws {
    let example = try #require(try example("keys:use@SHA256:nonexistent"))
    let said = try await example.run(in: environment)
    #expect(["ssh-add could not be run.", "No agent of ssh runs.", "It does not."].contains(said), "\(said)")
  }
}

/// A port of this machine that was free. It stays taken as long as this object exists, so that no other program can
/// listen there.
private final class LocalPort {
  let number: UInt16
  private let socket: Int32

  init?(isListening: Bool) {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.socket = socket
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isTaken = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(socket, address, size) == 0 && (!isListening || listen(socket, 1) == 0)
          && getsockname(socket, address, &size) == 0
      }
    }
    number = UInt16(bigEndian: address.sin_port)
    guard isTaken else { return nil }
  }

  deinit { close(socket) }
}
