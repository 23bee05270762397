import Foundation
import TerminalTesting
import Testing

@Suite("Hostile programs that hold the socket to ask at", .timeLimit(.minutes(5)))
struct HostileProcessTests {
  private let home: AskingHome

  init() throws { home = try AskingHome() }

  /// The beginning of each of the programs.
  private static let prelude = """
    import json, os, select, socket, sys, time
    def connect():
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.connect(sys.argv[1])
        return connection
    def call(method, more=False, **parameters):
        message = {"method": "io.permtui.Broker." + method, "parameters": parameters, "more": more}
        return json.dumps(message).encode() + b"\\0"

    """

  /// Sends a call that waits and then 64 large calls on each of a hundred connections, until the broker accepts no more
  /// for two seconds.
  private static let greedy =
    prelude + """
      large = call("Status", capability="photos", label="x" * 16200) * 64
      rest = {}
      try:
          for _ in range(100):
              connection = connect()
              connection.sendall(call("Status", more=True, capability="photos"))
              connection.setblocking(False)
              rest[connection] = large
      except OSError:
          pass
      end = time.monotonic() + 8
      while rest and time.monotonic() < end:
          ready = select.select([], list(rest), [], 2)[1]
          if not ready:
              break
          for connection in ready:
              try:
                  rest[connection] = rest[connection][connection.send(rest[connection]):]
              except OSError:
                  rest[connection] = b""
              if not rest[connection]:
                  kept = rest.pop(connection)
      print("sent all that is taken", flush=True)
      time.sleep(600)

      """

  @Test("Eight of them, each with a hundred connections, leave the broker below 90 MiB of its own")
  func memory() throws {
    // The bound is that of the program as the tests build it. An optimised one reads faster, and keeps a tenth more.
    let broker = try home.terminal(BuiltProgram.path(of: "permtui"), "serve")
    try broker.expect("Listening")
    let hostile = try (0..<8).map { number in
      try home.write(Self.greedy, to: "greedy-\(number).py")
      return try home.terminal("python3", home.folder.file("bin/greedy-\(number).py"), home.sockets + "/ask")
    }
    for one in hostile { try one.expect("sent all that is taken") }
    let memory = try privateMemory(of: broker)
    #expect(memory < 90 * 1024, "\(memory / 1024) MiB")
  }

  /// The memory in KiB that no file is behind. How much of the program's file the kernel maps differs by machine.
  private func privateMemory(of broker: TerminalSession) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(broker.process)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
    return try #require(line.split(separator: " ").compactMap { Int($0) }.first)
  }

  @Test("A program that forks does not shut the door, and another one is heard")
  func door() async throws {
    let broker = try home.broker()
    let forks =
      Self.prelude + """
        for _ in range(11):
            if os.fork() == 0:
                break
        connections = []
        for _ in range(100):
            try:
                connection = connect()
                connection.sendall(call("Status", more=True, capability="photos"))
                connections.append(connection)
            except OSError:
                break
        print("held", flush=True)
        time.sleep(600)

        """
    try home.write(forks, to: "forks.py")
    let hostile = try home.terminal("python3", home.folder.file("bin/forks.py"), home.sockets + "/ask")
    try hostile.expect("twelve of them") { $0.text.components(separatedBy: "held").count > 12 }
    try home.write("#!/bin/bash\npermtui request photos --as honest\n:\n", to: "honest")
    async let asking = home.run(["honest"])
    let ids = try await home.waitingIDs(1)
    _ = try await home.answer(ids[0], "allow")
    #expect(try await asking.output == "allowed\n")
    withExtendedLifetime((broker, hostile)) {}
  }
}
