import Foundation
import TerminalTesting
import Testing
import Waiting

@Suite("The run's own network", .needsWalls, .timeLimit(.minutes(5)))
struct OwnNetworkTests {
  private func python(_ code: String) async throws -> ProcessRun {
    try await Ground().inside("python3", "-I", "-c", code)
  }

  @Test(
    "Programs inside reach each other by the loopback without asking",
    arguments: ["127.0.0.1", "127.8.8.8", "::1"])
  func loopback(host: String) async throws {
    let run = try await python(
      """
      import socket, threading
      server = socket.create_server(("\(host)", 0), family=socket.AF_INET6 if ":" in "\(host)" else socket.AF_INET)
      threading.Thread(target=lambda: server.accept()[0].sendall(b"hello"), daemon=True).start()
      print(socket.create_connection(server.getsockname()[:2]).recv(5).decode())
      """)
    #expect(run.output == "hello\n", "\(run.messages)")
    #expect(run.messages == "")
  }

  @Test("A server inside may have any port, and one that is taken is taken")
  func ports() async throws {
    let run = try await python(
      """
      import errno, socket
      one = socket.create_server(("127.0.0.1", 80))
      print(one.getsockname())
      try: socket.socket().bind(("127.0.0.1", 80))
      except OSError as error: print(errno.errorcode[error.errno])
      """)
    #expect(run.output == "('127.0.0.1', 80)\nEADDRINUSE\n", "\(run.messages)")
  }

  @Test("Datagrams connect programs inside")
  func datagrams() async throws {
    let run = try await python(
      """
      import socket
      server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); server.bind(("127.0.0.1", 0))
      client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); client.connect(server.getsockname())
      client.send(b"hello"); print(server.recv(5).decode())
      client.sendto(b"again", server.getsockname()); print(server.recv(5).decode())
      """)
    #expect(run.output == "hello\nagain\n", "\(run.messages)")
  }

  @Test("A thread may connect, and hundreds of threads may at once")
  func threads() async throws {
    let run = try await python(
      """
      import socket, threading
      server = socket.create_server(("127.0.0.1", 0), backlog=600)
      def accept():
          while True: server.accept()[0].close()
      threading.Thread(target=accept, daemon=True).start()
      done = []
      def connect():
          for _ in range(5): socket.create_connection(server.getsockname()).close(); done.append(1)
      threads = [threading.Thread(target=connect) for _ in range(400)]
      for thread in threads: thread.start()
      for thread in threads: thread.join()
      print(len(done))
      """)
    #expect(run.output == "2000\n", "\(run.messages.suffix(500))")
  }

  @Test("asyncio connects without blocking, and learns of a connection")
  func asyncio() async throws {
    let run = try await python(
      """
      import asyncio
      async def main():
          async def answer(reader, writer):
              writer.write(await reader.readline()); await writer.drain(); writer.close()
          server = await asyncio.start_server(answer, "127.0.0.1", 0)
          reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
          writer.write(b"hello\\n"); print((await reader.readline()).decode(), end="")
      asyncio.run(main())
      """)
    #expect(run.output == "hello\n", "\(run.messages)")
  }

  @Test("A node server and its client find each other")
  func node() async throws {
    let ground = try await Ground()
    let code = """
      const server = require('http').createServer((_, answer) => answer.end('hello'));
      server.listen(0, '127.0.0.1', async () => {
        const answer = await fetch(`http://localhost:${server.address().port}/`);
        console.log(await answer.text()); server.close();
      });
      """
    let run = try await ground.inside("node", "-e", code)
    #expect(run.output == "hello\n", "\(run.messages)")
  }

  @Test("The interfaces are the run's own, and programs can ask for them")
  func interfaces() async throws {
    let run = try await python("import socket; print(socket.if_nameindex())")
    #expect(run.output == "[(1, 'lo')]\n", "\(run.messages)")
  }

  // MARK: Sockets of the Unix family

  @Test(
    "Sockets in the run's own folders connect programs inside",
    arguments: ["/tmp/s", "/dev/shm/s", "/tmp/../tmp/s"])
  func localSockets(path: String) async throws {
    let run = try await python(
      """
      import os, socket, stat, threading
      for kind in (socket.SOCK_STREAM, socket.SOCK_SEQPACKET):
          server = socket.socket(socket.AF_UNIX, kind); os.umask(0o177); server.bind("\(path)"); server.listen()
          print(oct(stat.S_IMODE(os.stat("\(path)").st_mode)))
          threading.Thread(target=lambda: server.accept()[0].sendall(b"hello"), daemon=True).start()
          client = socket.socket(socket.AF_UNIX, kind); client.connect("\(path)")
          print(client.recv(5).decode()); os.unlink("\(path)")
      """)
    #expect(run.output == "0o600\nhello\n0o600\nhello\n", "\(run.messages)")
    #expect(run.messages == "")
  }

  @Test("A relative path means the program's working folder")
  func relativePath() async throws {
    let run = try await python(
      """
      import os, socket
      os.makedirs("/tmp/a/b"); os.chdir("/tmp/a/b")
      server = socket.socket(socket.AF_UNIX); server.bind("../s"); server.listen()
      client = socket.socket(socket.AF_UNIX); client.connect("../../a/s"); print(os.listdir("/tmp/a"))
      os.chdir("/"); client = socket.socket(socket.AF_UNIX); client.connect("tmp/a/s"); print("twice")
      """)
    #expect(run.output == "['s', 'b']\ntwice\n" || run.output == "['b', 's']\ntwice\n", "\(run.messages)")
  }

  @Test("A socket in a folder that may be written connects programs inside, and is gone with its file")
  func socketInFolder() async throws {
    let ground = try await Ground()
    let code = """
      import os, socket
      server = socket.socket(socket.AF_UNIX); server.bind("s"); server.listen()
      for path in ("s", os.path.abspath("s")):
          client = socket.socket(socket.AF_UNIX); client.connect(path); server.accept()[0].sendall(b"hello")
          print(client.recv(5).decode())
      os.unlink("s")
      """
    let run = try await ground.inside("python3", "-I", "-c", code)
    #expect(run.output == "hello\nhello\n", "\(run.messages)")
    #expect(!FileManager.default.fileExists(atPath: ground.file("s")))
  }

  @Test("To bind a socket outside of the run's folders is to write a file, which is asked")
  func bindAsks() async throws {
    let ground = try await Ground(isAllowed: false)
    let running = try ground.startInside(
      shell: "python3 -I -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"s\"); print(\"bound\")'")
    try await running.asked("files:write@\(ground.file("s"))")
    try await ground.decide("allow", "files:write@\(ground.file("s"))")
    #expect(try await running.end() == 0, "\(running.messages)")
    #expect(running.output == "bound\n")
  }

  @Test("The name that a bound socket tells leads to it, as programs of Python need")
  func nameOfSocket() async throws {
    let run = try await python(
      """
      import multiprocessing
      def main():
          with multiprocessing.Manager() as manager:
              shared = manager.list(); other = multiprocessing.Process(target=shared.append, args=(42,))
              other.start(); other.join(); print(shared)
      if __name__ == "__main__": main()
      """)
    #expect(run.output == "[42]\n", "\(run.messages)")
  }

  @Test("tmux works inside, with its server and its client")
  func tmux() async throws {
    let ground = try await Ground()
    let run = try await ground.inside(
      shell: """
        tmux -f /dev/null new-session -d -s one 'echo from tmux > file; sleep 60' && tmux ls -F '#S' &&
        until [ -s file ]; do sleep 0.05; done; cat file; tmux kill-server
        """)
    #expect(run.output == "one\nfrom tmux\n", "\(run.messages)")
    #expect(!run.messages.contains("asks"))
  }

  @Test("A full line of waiting connections is told to a program that does not block")
  func fullBacklog() async throws {
    let run = try await python(
      """
      import socket
      server = socket.socket(socket.AF_UNIX); server.bind("/tmp/s"); server.listen(0)
      kept = []
      try:
          for _ in range(10):
              client = socket.socket(socket.AF_UNIX); client.setblocking(False); client.connect("/tmp/s"); kept.append(client)
      except BlockingIOError: print("full")
      """)
    #expect(run.output == "full\n", "\(run.messages)")
  }
}

@Suite("Questions about the network", .needsWalls, .timeLimit(.minutes(5)))
struct NetworkQuestionTests {
  /// A program that says hello to a port of the loopback, and prints what comes back.
  private func hello(_ port: UInt16, then rest: String = "") -> String {
    """
    python3 -I -c '
    import os, socket, sys, time
    s = socket.create_connection(("127.0.0.1", \(port))); s.sendall(b"hello"); print(s.recv(5).decode(), flush=True)
    \(rest)
    '
    """
  }

  @Test("A port of this machine is asked about by name, and the program waits for the answer")
  func localhost() async throws {
    let (ground, host) = (try await Ground(), try HostSockets())
    let running = try ground.startInside(shell: hello(host.port))
    try await running.asked("network:connect@localhost:\(host.port)")
    #expect(running.messages.contains("localhost:\(host.port) is on this machine, outside the walls\n"))
    #expect(running.output == "" && host.connections == 0)
    try await ground.decide("allow", "network:connect@localhost:\(host.port)")
    #expect(try await running.end() == 0, "\(running.messages)")
    #expect(running.output == "hello\n" && host.connections == 1)
  }

  @Test(
    "An address that is allowed already is not asked about",
    arguments: ["localhost:PORT", "localhost", "127.0.0.1:PORT", "*"])
  func known(value: String) async throws {
    let (ground, host) = (try await Ground(), try HostSockets())
    try await ground.decide("allow", "network:connect@\(value.replacing("PORT", with: "\(host.port)"))")
    let run = try await ground.inside(shell: hello(host.port))
    #expect(run.output == "hello\n", "\(run.messages)")
    #expect(run.messages == "")
  }

  @Test("A no is an error of access, and holds until the run ends")
  func denial() async throws {
    let (ground, host) = (try await Ground(), try HostSockets())
    let running = try ground.startInside(
      shell: """
        python3 -I -c '
        import errno, os, socket, time
        for _ in range(2):
            try: socket.create_connection(("127.0.0.1", \(host.port)))
            except OSError as error: print(errno.errorcode[error.errno], flush=True)
            while not os.path.exists("go"): time.sleep(0.01)
        '
        """)
    try await running.asked("network:connect@localhost:\(host.port)")
    try await ground.decide("deny", "network:connect@localhost:\(host.port)")
    try await running.printed("EACCES\n")
    try await ground.decide("forget", "network:connect@localhost:\(host.port)")
    try ground.write("", to: "go")
    #expect(try await running.end() == 0)
    #expect(running.output == "EACCES\nEACCES\n" && host.connections == 0)
  }

  @Test("The denial of the address also holds for the name of this machine")
  func denialOfAddress() async throws {
    let (ground, host) = (try await Ground(), try HostSockets())
    try await ground.decide("allow", "network:connect@localhost:\(host.port)")
    try await ground.decide("deny", "network:connect@127.0.0.1:\(host.port)")
    let run = try await ground.inside(shell: hello(host.port))
    #expect(run.messages.contains("Permission denied") && host.connections == 0, "\(run.messages)")
  }

  @Test("A server inside comes before one of this machine with the same port")
  func ownFirst() async throws {
    let (ground, host) = (try await Ground(), try HostSockets())
    let run = try await ground.inside(
      shell: """
        python3 -I -c '
        import socket
        server = socket.create_server(("127.0.0.1", \(host.port)))
        client = socket.create_connection(server.getsockname()); server.accept()[0].sendall(b"inside"); print(client.recv(6).decode())
        '
        """)
    #expect(run.output == "inside\n" && host.connections == 0, "\(run.messages)")
  }

  @Test("Programs that ask for the same wait for one answer")
  func joined() async throws {
    let (ground, host) = (try await Ground(), try HostSockets())
    let running = try ground.startInside(
      shell: """
        python3 -I -c '
        import socket, threading
        def work():
            s = socket.create_connection(("127.0.0.1", \(host.port))); s.sendall(b"hello"); print(s.recv(5).decode(), flush=True)
        threads = [threading.Thread(target=work) for _ in range(300)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        '
        """)
    try await running.asked("network:connect@localhost:\(host.port)")
    try await ground.decide("allow", "network:connect@localhost:\(host.port)")
    #expect(try await running.end() == 0, "\(running.messages.suffix(500))")
    #expect(running.output == String(repeating: "hello\n", count: 300) && host.connections == 300)
    #expect(running.messages.components(separatedBy: " asks ").count == 2)
  }

  @Test("A program that is killed while it waits gets no connection, and the next one does")
  func withdrawn() async throws {
    let (ground, host) = (try await Ground(), try HostSockets())
    let running = try ground.startInside(
      shell: "\(hello(host.port)) & echo $! > first; wait; echo ended; \(hello(host.port))")
    try await running.asked("network:connect@localhost:\(host.port)")
    let asker = try #require(running.asker)
    kill(asker, SIGKILL)
    try await running.printed("ended")
    try await ground.decide("allow", "network:connect@localhost:\(host.port)")
    #expect(try await running.end() == 0, "\(running.messages)")
    #expect(running.output == "ended\nhello\n" && host.connections == 1)
  }

  @Test("When the warden is killed during a question about a host, the program ends")
  func wardenDies() async throws {
    let (ground, host) = (try await Ground(), try HostSockets())
    let running = try ground.startInside(shell: hello(host.port))
    try await running.asked("network:connect@localhost:\(host.port)")
    let asker = try #require(running.asker)
    running.send(SIGKILL)
    _ = try await running.end()
    try await until { kill(asker, 0) != 0 }
  }

  @Test("A program's choices for its socket hold for the one that takes its place")
  func settings() async throws {
    let (ground, host) = (try await Ground(), try HostSockets())
    try await ground.decide("allow", "network:connect@localhost:\(host.port)")
    let run = try await ground.inside(
      shell: """
        python3 -I -c '
        import fcntl, os, socket
        s = socket.socket(); n = s.fileno(); s.set_inheritable(True)
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1); s.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 77)
        s.connect(("127.0.0.1", \(host.port)))
        print(s.fileno() == n, os.get_inheritable(n), s.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY),
              s.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE), s.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE),
              fcntl.fcntl(n, fcntl.F_GETFL) & os.O_NONBLOCK, s.getpeername())
        t = socket.socket(); t.setblocking(False); print(t.connect_ex(("127.0.0.1", \(host.port))) in (0, 115))
        print(os.get_inheritable(t.fileno()), fcntl.fcntl(t.fileno(), fcntl.F_GETFL) & os.O_NONBLOCK > 0)
        '
        """)
    #expect(
      run.output == "True True 1 1 77 0 ('127.0.0.1', \(host.port))\nTrue\nFalse True\n", "\(run.messages)")
  }

  @Test("A descriptor that was closed during the question is not replaced")
  func closedMeanwhile() async throws {
    let (ground, host) = (try await Ground(), try HostSockets())
    let running = try ground.startInside(
      shell: """
        python3 -I -c '
        import errno, os, socket, threading
        s = socket.socket(); n = s.fileno(); result = []
        thread = threading.Thread(target=lambda: result.append(s.connect_ex(("127.0.0.1", \(host.port)))))
        thread.start()
        while not os.path.exists("go"): pass
        file = os.open("go", os.O_RDONLY); os.dup2(file, n)
        print("replaced", flush=True); thread.join()
        print(errno.errorcode[result[0]], os.read(n, 9))
        '
        """)
    try await running.asked("network:connect@localhost:\(host.port)")
    try ground.write("text", to: "go")
    try await running.printed("replaced")
    try await ground.decide("allow", "network:connect@localhost:\(host.port)")
    #expect(try await running.end() == 0, "\(running.messages)")
    #expect(running.output == "replaced\nENOTSOCK b'text'\n")
  }

  @Test("A refusal outside is the program's error")
  func refusedOutside() async throws {
    let ground = try await Ground()
    let port = try HostSockets.unusedPort()
    try await ground.decide("allow", "network:connect@localhost:\(port)")
    let run = try await ground.inside(shell: hello(port))
    #expect(run.messages.contains("ConnectionRefusedError"))
  }

  @Test("After a panic nothing is asked, and nothing reached")
  func panicRefuses() async throws {
    let (ground, host) = (try await Ground(), try HostSockets())
    try await ground.decide("allow", "network:connect@localhost:\(host.port)")
    try await ground.panic()
    let run = try await ground.inside(shell: hello(host.port))
    #expect(run.messages.contains("Permission denied") || run.messages.contains("EACCES"), "\(run.messages)")
    #expect(host.connections == 0)
  }

  // MARK: Sockets of the machine

  private func local(_ path: String, then rest: String = "") -> String {
    """
    python3 -I -c '
    import socket
    s = socket.socket(socket.AF_UNIX); s.connect("\(path)"); s.sendall(b"hello"); print(s.recv(5).decode(), flush=True)
    \(rest)
    '
    """
  }

  @Test("A socket of this machine is asked about by itself, although its folder may be written")
  func socketOfMachine() async throws {
    let ground = try await Ground()
    let host = try HostSockets(alsoAt: ground.file("s"))
    let running = try ground.startInside(shell: local("s"))
    try await running.asked("files:write@\(ground.file("s"))")
    #expect(host.connections == 0)
    try await ground.decide("allow", "files:write@\(ground.file("s"))")
    #expect(try await running.end() == 0, "\(running.messages)")
    #expect(running.output == "hello\n" && host.connections == 1)
  }

  @Test("A socket in a folder of the system is asked about, too")
  func socketOfSystem() async throws {
    let (ground, host) = (try await Ground(), try HostSockets())
    let running = try ground.startInside(shell: local(host.path))
    try await running.asked("files:write@\(host.path)")
    try await ground.decide("deny", "files:write@\(host.path)")
    #expect(try await running.end() != 0)
    #expect(running.messages.contains("Permission denied") && host.connections == 0)
  }

  @Test("--here allows no socket of this machine")
  func hereAndSockets() async throws {
    let ground = try await Ground(isAllowed: false)
    let host = try HostSockets(alsoAt: ground.file("s"))
    let running = try ground.startInside(options: ["--here"], shell: local("s"))
    try await running.asked("files:write@\(ground.file("s"))")
    #expect(host.connections == 0)
    running.send(SIGKILL)
    _ = try await running.end()
  }

  // MARK: Taking back

  @Test("A denial cuts what is open, and says so", arguments: ["deny", "forget"])
  func cut(verb: String) async throws {
    let (ground, host) = (try await Ground(), try HostSockets())
    try await ground.decide("allow", "network:connect@localhost:\(host.port)")
    let running = try ground.startInside(shell: hello(host.port, then: "print(s.recv(5), flush=True)"))
    try await running.printed("hello\n")
    try await ground.decide(verb, "network:connect@localhost:\(host.port)")
    #expect(try await running.end() == 0, "\(running.messages)")
    #expect(running.output == "hello\nb''\n")
    #expect(running.messages == "permtui-run: cut 1 connection\n")
  }

  @Test("A panic cuts all connections")
  func panicCuts() async throws {
    let (ground, host) = (try await Ground(), try HostSockets())
    try await ground.decide("allow", "network:connect@localhost:\(host.port)")
    try await ground.decide("allow", "files:write@\(host.path)")
    let more = """
      t = socket.socket(socket.AF_UNIX); t.connect("\(host.path)"); print("both", flush=True); print(s.recv(5), t.recv(5), flush=True)
      """
    let running = try ground.startInside(shell: hello(host.port, then: more))
    try await running.printed("both\n")
    try await ground.panic()
    #expect(try await running.end() == 0, "\(running.messages)")
    #expect(running.output == "hello\nboth\nb'' b''\n")
    #expect(running.messages.contains("permtui-run: cut 2 connections\n"))
  }

  @Test("A denial also cuts what another process has open by now")
  func cutElsewhere() async throws {
    let (ground, host) = (try await Ground(), try HostSockets())
    try await ground.decide("allow", "network:connect@localhost:\(host.port)")
    let running = try ground.startInside(
      shell: hello(
        host.port,
        then: """
          if os.fork() == 0:
              os.setsid()
              if os.fork() == 0: print(s.recv(5), flush=True); open("end", "w").close()
              os._exit(0)
          s.close(); os.wait(); print("child", flush=True)
          while not os.path.exists("end"): time.sleep(0.01)
          """))
    try await running.printed("child\n")
    try await ground.decide("deny", "network:connect@localhost:\(host.port)")
    #expect(try await running.end() == 0, "\(running.messages)")
    #expect(running.output.contains("b''\n"))
  }

  @Test("A denial also cuts what a program has open that is closed to others, such as one with keys")
  func cutClosedProgram() async throws {
    let (ground, host) = (try await Ground(), try HostSockets())
    try await ground.decide("allow", "network:connect@localhost:\(host.port)")
    let running = try ground.startInside(
      shell: hello(
        host.port,
        then: """
          import ctypes
          ctypes.CDLL(None).prctl(4, 0, 0, 0, 0); print("closed", flush=True); print(s.recv(5), flush=True)
          """))
    try await running.printed("closed\n")
    try await ground.decide("deny", "network:connect@localhost:\(host.port)")
    #expect(try await running.end() == 0, "\(running.messages)")
    #expect(running.output == "hello\nclosed\nb''\n")
  }

  @Test("If a connection is on its way between processes, so that it cannot be cut, everything ends")
  func inFlight() async throws {
    let (ground, host) = (try await Ground(), try HostSockets())
    try await ground.decide("allow", "network:connect@localhost:\(host.port)")
    let running = try ground.startInside(
      shell: hello(
        host.port,
        then: """
          one, other = socket.socketpair(); socket.send_fds(one, [b"x"], [s.fileno()]); s.close(); print("sent", flush=True)
          time.sleep(600)
          """))
    try await running.printed("sent\n")
    try await ground.decide("deny", "network:connect@localhost:\(host.port)")
    #expect(try await running.end() == 137, "\(running.messages)")
  }

  @Test("A connection that was closed is forgotten, and the run goes on after a denial")
  func closedBefore() async throws {
    let (ground, host) = (try await Ground(), try HostSockets())
    try await ground.decide("allow", "network:connect@localhost:\(host.port)")
    let running = try ground.startInside(
      shell: hello(
        host.port,
        then: """
          for _ in range(600): socket.create_connection(("127.0.0.1", \(host.port))).close()
          s.close(); print("closed", flush=True)
          while not os.path.exists("go"): time.sleep(0.01)
          print(socket.socket().connect_ex(("127.0.0.1", \(host.port))))
          """))
    try await running.printed("closed\n")
    try await ground.decide("deny", "network:connect@localhost:\(host.port)")
    try ground.write("", to: "go")
    #expect(try await running.end() == 0, "\(running.messages)")
    #expect(running.output == "hello\nclosed\n13\n" && running.messages == "")
  }
}
