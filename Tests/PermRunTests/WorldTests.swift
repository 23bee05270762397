import Foundation
import TerminalTesting
import Testing
import Waiting

/// Real programs behind walls, and real servers outside.
@Suite("The world outside", .needsWalls, .needsWorld, .serialized, .timeLimit(.minutes(10)))
struct WorldTests {
  private func ground(allowing values: String...) async throws -> Ground {
    let world = try await World.shared.value
    let ground = try await Ground(network: world.network)
    for value in values { try await ground.decide("allow", "network:connect@\(value)") }
    return ground
  }

  private func certificate(for ground: Ground) async throws -> String {
    let world = try await World.shared.value
    try ground.write(
      try String(contentsOfFile: world.folder + "/certificate.pem", encoding: .utf8), to: "ca.pem")
    return ground.file("ca.pem")
  }

  // MARK: Names

  @Test("A name is looked up outside only once it is allowed, and what is asked about is the name")
  func resolvedAfterYes() async throws {
    let (ground, world) = (try await ground(), try await World.shared.value)
    let running = try ground.startInside(shell: "curl -sS http://cdn.example/")
    try await running.asked("network:connect@cdn.example:80")
    #expect(!world.askedNames.contains("cdn.example"))
    try await ground.decide("allow", "network:connect@cdn.example:80")
    #expect(try await running.end() == 0, "\(running.messages)")
    #expect(running.output == "hello from cdn.example\n")
    #expect(world.askedNames.contains("cdn.example"))
  }

  @Test("Names carry nothing out")
  func namesStayInside() async throws {
    let (ground, world) = (try await ground(), try await World.shared.value)
    let run = try await ground.inside(
      shell: """
        python3 -I -c '
        import socket
        found = {socket.gethostbyname(f"secret{n}.example") for n in range(500)}
        print(len(found), all(a.startswith("198.18.") for a in found))
        print(socket.getaddrinfo("secret0.example", 80, type=socket.SOCK_STREAM)[0][4])
        '
        """)
    #expect(run.output == "500 True\n('198.18.0.2', 80)\n", "\(run.messages)")
    #expect(!world.askedNames.contains { $0.hasPrefix("secret") })
    #expect(run.messages == "")
  }

  @Test("Names are answered by streams, too, and broken messages do not stop the answers")
  func hostileNames() async throws {
    let run = try await ground().inside(
      shell: """
        python3 -I -c '
        import os, random, socket, struct
        def question(name): return b"\\xab\\xcd\\1\\0\\0\\1\\0\\0\\0\\0\\0\\0" + b"".join(bytes([len(p)]) + p for p in name.split(b".")) + b"\\0\\0\\1\\0\\1"
        whole = question(b"some.name.example")
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.settimeout(10); s.connect(("127.0.0.1", 53))
        for n in range(20000):
            m = bytearray(os.urandom(random.randrange(0, 600)) if n % 3 == 0 else whole)
            for _ in range(random.randrange(4)):
                if m: m[random.randrange(len(m))] = random.randrange(256)
            s.send(bytes(m[:random.randrange(len(m) + 1)]))
        for size in (0, 1, 11, 12, 65507): s.send(bytes(size))
        last = question(b"last.example"); last = b"\\x12\\x34" + last[2:]
        while True:
            s.send(last)
            try:
                while s.recv(65536)[:2] != b"\\x12\\x34": pass
            except TimeoutError: continue
            break
        print("messages")
        for first in (b"\\xff\\xff" + bytes(100), b"\\0\\0", b"\\0"):
            t = socket.create_connection(("127.0.0.1", 53)); t.sendall(first); t.close()
        idle = [socket.create_connection(("127.0.0.1", 53)) for _ in range(8)]
        t = socket.create_connection(("127.0.0.1", 53))
        for _ in range(3):
            t.sendall(struct.pack(">H", len(last)) + last); size = struct.unpack(">H", t.recv(2))[0]; print(socket.inet_ntoa(t.recv(size)[-4:]))
        '
        """)
    #expect(run.output.hasPrefix("messages\n198.18.0."), "\(run.messages)")
    #expect(run.output.split(separator: "\n").count == 4)
  }

  @Test("The machine's own list of hosts holds inside")
  func listOfHosts() async throws {
    let run = try await ground().inside("getent", "ahosts", "localhost")
    #expect(run.output.contains("127.0.0.1") || run.output.contains("::1"), "\(run.messages)")
  }

  @Test("A name that nobody knows is a host that cannot be reached")
  func unknownName() async throws {
    for name in ["unknown.example", "nowhere.example"] {
      let run = try await ground(allowing: "\(name):80").inside(
        "python3", "-I", "-c", "import socket; print(socket.socket().connect_ex(('\(name)', 80)))")
      #expect(run.output == "113\n", "\(run.messages)")
    }
  }

  // MARK: Targets of names

  @Test(
    "If a name leads to an address that is not everyone's, the address is asked about as well",
    arguments: [
      ("private.example", "10.9.8.7", "a private address"),
      ("settings.example", "169.254.169.254", "where machines keep their own settings"),
    ])
  func specialAddress(name: String, address: String, words: String) async throws {
    let ground = try await ground(allowing: "*")
    let running = try ground.startInside(shell: "curl -sS http://\(name)/; curl -sS http://\(name)/")
    try await running.asked("network:connect@\(address):80")
    #expect(running.messages.contains("\(name) leads to \(address)") && running.messages.contains(words))
    #expect(running.output == "")
    try await ground.decide("allow", "network:connect@\(address):80")
    #expect(try await running.end() == 0, "\(running.messages)")
    #expect(running.output == "hello from \(name)\nhello from \(name)\n")
    #expect(running.messages.components(separatedBy: " asks ").count == 2)
  }

  @Test("A name that leads to this machine is asked about as this machine")
  func nameOfThisMachine() async throws {
    let ground = try await ground(allowing: "*")
    for (name, value) in [("home.example", "localhost:8080"), ("own.example", "203.0.113.1:8080")] {
      let running = try ground.startInside(
        shell: "python3 -I -c 'import socket; print(socket.socket().connect_ex((\"\(name)\", 8080)))'")
      try await running.asked("network:connect@\(value)")
      #expect(running.messages.contains("on this machine, outside the walls"))
      try await ground.decide("deny", "network:connect@\(value)")
      #expect(try await running.end() == 0)
      #expect(running.output == "13\n")
    }
  }

  @Test("The denial of an address holds for every name that leads there, and for no other")
  func denialOfAddress() async throws {
    let ground = try await ground(
      allowing: "web.example", "mirror.example", "cdn.example")
    try await ground.decide("deny", "network:connect@198.51.100.10")
    let run = try await ground.inside(
      shell: "for n in web mirror cdn; do curl -sS http://$n.example/ || echo no; done")
    #expect(run.output == "no\nno\nhello from cdn.example\n", "\(run.messages)")
  }

  @Test("A denial of everything else does not close the addresses of what is allowed")
  func denialOfAll() async throws {
    let ground = try await ground()
    try await ground.decide("deny", "network:connect@*")
    try await ground.decide("allow", "network:connect@web.example:80")
    let run = try await ground.inside(
      shell: "curl -sS http://web.example/; curl -sS http://cdn.example/ || echo no")
    #expect(run.output == "hello from web.example\nno\n", "\(run.messages)")
  }

  @Test("Of several addresses, everyone's is used, and another one if the first does not answer")
  func severalAddresses() async throws {
    let run = try await ground(allowing: "mixed.example:80", "two.example:80").inside(
      shell: "curl -sS http://mixed.example/ http://two.example/")
    #expect(run.output == "hello from mixed.example\nhello from two.example\n", "\(run.messages)")
    #expect(run.messages == "")
  }

  @Test("A name that has addresses of version 6 only is reached")
  func version6() async throws {
    let run = try await ground(allowing: "six.example:80").inside("curl", "-sS", "http://six.example/")
    #expect(run.output == "hello from six.example\n", "\(run.messages)")
  }

  @Test(
    "Addresses are asked about as they are", arguments: ["198.51.100.10", "10.9.8.7", "[2001:db8:5::10]"])
  func addresses(address: String) async throws {
    let ground = try await ground()
    let running = try ground.startInside(shell: "curl -sSg http://\(address)/")
    try await running.asked("network:connect@\(address):80")
    try await ground.decide("allow", "network:connect@\(address):80")
    #expect(try await running.end() == 0, "\(running.messages)")
    #expect(running.output == "hello from \(address)\n")
  }

  @Test("Datagrams do not leave, and no socket of a run listens outside")
  func datagrams() async throws {
    let (ground, world) = (try await ground(allowing: "*"), try await World.shared.value)
    let run = try await ground.inside(
      shell: """
        python3 -I -c '
        import socket
        q = b"\\xab\\xcd\\1\\0\\0\\1\\0\\0\\0\\0\\0\\0\\6direct\\7example\\0\\0\\1\\0\\1"
        for send in (lambda s: s.sendto(q, ("203.0.113.2", 53)), lambda s: s.connect(("203.0.113.2", 53))):
            try: send(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)); print("sent")
            except OSError as error: print(error.errno)
        s = socket.create_connection(("198.51.100.10", 80))
        for call in (lambda: s.bind(("0.0.0.0", 0)), lambda: s.listen(), lambda: s.connect(("198.51.100.20", 80))):
            try: call(); print("done")
            except OSError as error: print(error.errno)
        '
        """)
    #expect(run.output == "101\n101\n22\n22\n106\n", "\(run.messages)")
    #expect(!world.askedNames.contains("direct.example"))
  }

  // MARK: Programs

  @Test("curl: http, https, and many connections at once")
  func curl() async throws {
    let ground = try await ground(allowing: "web.example", "cdn.example")
    let authority = try await certificate(for: ground)
    let run = try await ground.inside(
      shell: """
        curl -sS --cacert \(authority) https://web.example/ http://web.example/ https://cdn.example/
        curl -sS --parallel --parallel-max 50 'http://web.example/?[1-1]' 'http://cdn.example/' > /dev/null
        for n in $(seq 40); do echo url = http://web.example/; done | curl -sS --parallel -K - | sort | uniq -c
        """)
    #expect(!run.messages.contains("permtui-run"), "\(run.messages)")
    #expect(
      run.output
        == "hello from web.example\nhello from web.example\nhello from cdn.example\n     40 hello from web.example\n"
    )
  }

  @Test("node: fetch of http, and of what is not allowed")
  func node() async throws {
    let ground = try await ground(allowing: "web.example")
    try await ground.decide("deny", "network:connect@cdn.example")
    let code = """
      const get = async name => { try { return await (await fetch(`http://${name}/`)).text() } catch (e) { return e.cause.code + '\\n' } };
      (async () => { for (const n of ['web.example', 'cdn.example']) process.stdout.write(await get(n)) })();
      """
    let run = try await ground.inside("node", "-e", code)
    #expect(run.output == "hello from web.example\nEACCES\n", "\(run.messages)")
  }

  @Test("Python: urllib, and asyncio with many connections")
  func python() async throws {
    let ground = try await ground(allowing: "web.example", "cdn.example")
    let run = try await ground.inside(
      shell: """
        python3 -I -c '
        import asyncio, urllib.request
        print(urllib.request.urlopen("http://web.example/").read().decode(), end="")
        async def get(name):
            reader, writer = await asyncio.open_connection(name, 80)
            writer.write(f"GET / HTTP/1.0\\r\\nHost: {name}\\r\\n\\r\\n".encode())
            text = await reader.read(); writer.close(); return text.split(b"\\n")[-2]
        async def main(): print(set(await asyncio.gather(*[get("cdn.example") for _ in range(100)])))
        asyncio.run(main())
        '
        """)
    #expect(run.output == "hello from web.example\n{b'hello from cdn.example'}\n", "\(run.messages)")
  }

  // Without a working tree: a `.git` in a folder is asked about by itself.
  @Test("git clones by http and by https")
  func git() async throws {
    let ground = try await ground(allowing: "web.example")
    let authority = try await certificate(for: ground)
    let run = try await ground.inside(
      shell: """
        git clone -q --bare http://web.example/repository.git one && git -C one show HEAD:file
        git -c http.sslCAInfo=\(authority) clone -q --bare https://web.example/repository.git two && git -C two log --format=%s
        """)
    #expect(run.output == "text\nfirst\n", "\(run.messages)")
    #expect(run.messages == "")
  }

  @Test("ssh logs in, and git clones and pushes by ssh")
  func ssh() async throws {
    let (ground, world) = (try await ground(allowing: "ssh.example:22"), try await World.shared.value)
    try ground.write(try String(contentsOfFile: world.folder + "/login_key", encoding: .utf8), to: "key")
    chmod(ground.file("key"), 0o600)
    let ssh = """
      ssh -F none -i \(ground.file("key")) -o IdentitiesOnly=yes -o UserKnownHostsFile=\(ground.file("known")) \
      -o StrictHostKeyChecking=accept-new -o BatchMode=yes
      """
    let run = try await ground.inside(
      shell: """
        \(ssh) root@ssh.example echo logged in
        git config --file config core.sshCommand '\(ssh)'; git config --file config user.name t
        git config --file config user.email t@example.com; export GIT_CONFIG_GLOBAL=$PWD/config
        git clone -q --bare ssh://root@ssh.example\(world.folder)/repository.git one && cd one && git show HEAD:file
        git update-ref refs/heads/pushed $(git commit-tree -m more -p HEAD HEAD^{tree}) &&
          git push -q origin pushed && git ls-remote origin | grep -c refs/heads/pushed
        """)
    #expect(run.output == "logged in\ntext\n1\n", "\(run.messages)")
    #expect(!run.messages.contains(" asks "))
  }

  @Test("pip downloads a package from an index")
  func pip() async throws {
    let ground = try await ground(allowing: "web.example:80")
    let run = try await ground.inside(
      shell: """
        python3 -m venv env && env/bin/pip --disable-pip-version-check install -q --no-cache-dir --no-deps \
          --index-url http://web.example/simple/ --trusted-host web.example greeting && env/bin/python -c 'import greeting'
        """)
    #expect(run.output == "hello from a package\n", "\(run.messages)")
  }

  @Test("A download that runs is cut, and the program goes on")
  func download() async throws {
    let ground = try await ground(allowing: "web.example:80")
    let running = try ground.startInside(
      shell:
        "curl -sS http://web.example/endless | (head -c 1000000 > file; echo begun; cat > /dev/null); echo went on"
    )
    try await running.printed("begun\n")
    try await ground.decide("deny", "network:connect@web.example:80")
    #expect(try await running.end() == 0)
    #expect(running.output == "begun\nwent on\n")
    #expect(running.messages.contains("cut 1 connection"))
  }

  @Test("The denial of an address cuts the connections of the names that lead there")
  func downloadByAddress() async throws {
    let ground = try await ground(allowing: "web.example:80")
    let running = try ground.startInside(
      shell: "curl -sS http://web.example/endless | (head -c 1000000 > file; echo begun; cat > /dev/null)")
    try await running.printed("begun\n")
    try await ground.decide("deny", "network:connect@198.51.100.10")
    #expect(try await running.end() == 0)
    #expect(running.messages.contains("cut 1 connection"))
  }
}

extension Trait where Self == ConditionTrait {
  /// Declares that a test needs a network of its own. On a machine where there can be none, the test is skipped; if the
  /// variable `CI` is set, it fails.
  static var needsWorld: Self {
    .enabled(
      if: World.missing == nil || ProcessInfo.processInfo.environment["CI"] != nil, "\(World.missing ?? "")")
  }
}
