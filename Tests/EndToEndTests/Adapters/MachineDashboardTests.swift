import Foundation
import Glibc
import TerminalTesting
import Testing

@Suite("Other machines in a dashboard", .timeLimit(.minutes(5)), .enabled(if: geteuid() == 0))
struct MachineDashboardTests {
  /// The home of the person, who answers for others.
  private let home: AskingHome
  /// The home of a user on another machine.
  private let there: AskingHome

  init() throws {
    home = try AskingHome()
    there = try AskingHome()
  }

  /// A server with a broker, which a person has added as web1.
  private func far() async throws -> (server: MachineServer, broker: TerminalSession) {
    let far = (server: try await MachineServer(there, bridge: "--as ana"), broker: try there.broker())
    try home.lead(to: far.server)
    try await add()
    return far
  }

  private func asking() -> Task<ProcessRun, any Error> {
    Task { [there] in try await there.run(["backup.sh"]) }
  }

  @Test("An alert says on which machine, and the answer counts there as the operator's")
  func answered() async throws {
    let far = try await far()
    let dashboard = try home.terminalPermtui()
    try dashboard.expect("listening")
    let run = asking()
    try dashboard.expectArmed("backup on web1 asks to read your photos")
    try dashboard.expect("web1 · prod")
    dashboard.type("a")
    try dashboard.expect("On web1: Allowed for this request: photos")
    #expect(try await run.value.ending == .exited(0))
    let log = try await there.permtui("log", "--kind", "answered").output
    #expect(log.contains("by the operator ana"), "\(log)")
    // The person's own store does not know of it.
    #expect(try await !home.permtui("log").output.contains("backup"))
    dashboard.type("q")
    #expect(try dashboard.waitForEnd() == .exit(code: 0))
    withExtendedLifetime(far) {}
  }

  @Test(
    "A connection that ends is told with the reason, and an alert that stays answers nothing until it is back"
  )
  func lost() async throws {
    let far = try await far()
    let dashboard = try home.terminalPermtui()
    let run = asking()
    try dashboard.expect("backup on web1 asks to read your photos")
    // The key's line leads to something else, and the connection of the bridge ends.
    let keys = there.folder.file("authorized")
    let line = try String(contentsOfFile: keys, encoding: .utf8)
    try line.replacing("permtui bridge", with: "false").write(
      toFile: keys, atomically: false, encoding: .utf8)
    try far.server.endBridges()
    try dashboard.expect("web1 has gone: an answer has no effect")
    try dashboard.expect("web1 has no bridge")
    dashboard.type("a")
    try dashboard.expect("No broker asks this now")
    try line.write(toFile: keys, atomically: false, encoding: .utf8)
    try dashboard.expectGone("web1 has no bridge")
    try dashboard.expectArmed("backup on web1 asks to read your photos")
    dashboard.type("d")
    try dashboard.expect("On web1: Denied for this request: photos")
    #expect(try await run.value.ending == .exited(1))
    withExtendedLifetime(far) {}
  }

  @Test("Line by line, the machine is named first, and a panic reaches it")
  func plain() async throws {
    let far = try await far()
    let dashboard = try home.terminalPermtui("--plain")
    let run = asking()
    try dashboard.expect("On: web1 · prod")
    try dashboard.expect("Answer:")
    dashboard.type("deny\r")
    try dashboard.expect("On web1: Denied for this request: photos")
    #expect(try await run.value.ending == .exited(1))
    dashboard.type("panic\r")
    try dashboard.expect("PANIC since")
    while try await !there.permtui("log").output.contains("suspended") { try Task.checkCancellation() }
    withExtendedLifetime(far) {}
  }

  // MARK: Networks

  @Test("A link that is cut is told, and a request behind it is answered when it is joined again")
  func cutLink() async throws {
    let network = try await OtherNetwork(1)
    let server = try await MachineServer(
      there, bridge: "--as ana", address: network.there, through: network.prefix)
    let broker = try there.broker()
    try home.lead(to: server, at: network.there)
    try await add()
    let dashboard = try home.terminal(["permtui"], patience: .seconds(60))
    let run = asking()
    try dashboard.expectArmed("backup on web1 asks to read your photos")
    try await network.setLink(false)
    try dashboard.expect("web1 has gone: an answer has no effect")
    try dashboard.expect("web1 is out of reach")
    try await network.setLink(true)
    try dashboard.expectGone("web1 is out of reach")
    try dashboard.expectArmed("backup on web1 asks to read your photos")
    dashboard.type("a")
    #expect(try await run.value.ending == .exited(0))
    withExtendedLifetime((server, broker)) {}
  }

  @Test("A server that was stopped is told, and the next connection takes the place of the one that it holds")
  func stoppedServer() async throws {
    let far = try await far()
    let dashboard = try home.terminal(["permtui"], patience: .seconds(60))
    let run = asking()
    try dashboard.expectArmed("backup on web1 asks to read your photos")
    let stopped = try far.server.stopConnections()
    defer { for process in stopped { kill(process, SIGKILL) } }
    #expect(!stopped.isEmpty)
    try dashboard.expect("web1 has gone: an answer has no effect")
    try dashboard.expectArmed("backup on web1 asks to read your photos")
    dashboard.type("a")
    #expect(try await run.value.ending == .exited(0))
    withExtendedLifetime(far) {}
  }

  @Test("A slow link delays alerts and answers, and loses none", arguments: [2, 20, 80])
  func slow(milliseconds: Int) async throws {
    let server = try await MachineServer(there, bridge: "--as ana")
    let broker = try there.broker()
    let link = try home.terminal("python3", "-c", Self.slowLink, "\(server.port)", "\(milliseconds)")
    try link.expect("port ")
    let port = try #require(link.picture.text.firstMatch(of: /port ([0-9]+)/)?.1)
    try home.lead(to: server, port: UInt16(port))
    try await add()
    let dashboard = try home.terminalPermtui()
    for verdict in ["a", "d", "a"] {
      let run = asking()
      try dashboard.expectArmed("backup on web1 asks to read your photos")
      dashboard.type(verdict)
      #expect(try await run.value.ending == .exited(verdict == "a" ? 0 : 1))
      try dashboard.expectGone("backup on web1 asks")
    }
    let log = try await there.permtui("log", "--kind", "answered").output
    #expect(log.components(separatedBy: "by the operator ana").count == 4, "\(log)")
    withExtendedLifetime((server, broker, link)) {}
  }

  private func add() async throws {
    let run = try await home.permtui("machine", "add", "web1", "--class", "prod", "--colour", "1", "--write")
    try #require(run.ending == .exited(0), "\(run)")
    try there.write("#!/bin/bash\npermtui request photos --as backup --wait 60\n", to: "backup.sh")
  }

  /// Passes bytes on to a port of this machine, and delays them by some milliseconds each way.
  private static let slowLink = """
    import asyncio, sys
    target, delay = int(sys.argv[1]), int(sys.argv[2]) / 1000
    async def pump(reader, writer):
        loop, queue = asyncio.get_running_loop(), asyncio.Queue()
        async def write():
            while True:
                due, data = await queue.get()
                await asyncio.sleep(due - loop.time())
                if not data: return writer.close()
                writer.write(data)
                await writer.drain()
        writing = asyncio.create_task(write())
        while True:
            data = await reader.read(65536)
            queue.put_nowait((loop.time() + delay, data))
            if not data: return await writing
    async def link(reader, writer):
        there = await asyncio.open_connection('127.0.0.1', target)
        await asyncio.gather(pump(reader, there[1]), pump(there[0], writer), return_exceptions=True)
    async def main():
        server = await asyncio.start_server(link, '127.0.0.1', 0)
        print('port', server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()
    asyncio.run(main())
    """
}
