import Foundation
import TerminalTesting
import Testing

@Suite("Scripts of the real Deno", .timeLimit(.minutes(5)))
struct DenoTests {
  /// The beginning of each script. It defines a function that reports how a step ended.
  private static let start = """
    const step = async (name: string, work: () => unknown) => {
      try {
        console.log(name, (await work()) ?? "done");
      } catch (error) {
        console.log(name, error instanceof Deno.errors.NotCapable ? "denied" : "failed", String(error));
      }
    };

    """

  private func steps(_ run: ProcessRun) -> [String] {
    run.output.split(separator: "\n").map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
  }

  @Test("Allowed, denied and mixed: each step gets its own answer, without asking")
  func mixed() async throws {
    guard let deno = try await DenoHome() else { return }
    let broker = try deno.home.broker()
    try deno.write("text", to: "a.txt")
    try deno.write(
      Self.start + """
        await step("read", () => Deno.readTextFileSync("./a.txt").length);
        await step("write", () => Deno.writeTextFileSync("b.txt", "x"));
        await step("home", () => Deno.env.get("HOME")?.length > 0);
        await step("secret", () => Deno.env.get("SECRET"));
        await step("name", () => Deno.hostname().length > 0);
        await step("dead", () => Deno.connect({ hostname: "127.0.0.1", port: 9 }));
        """, to: "main.ts")
    try await deno.decide(
      "allow", "main.ts", "files:read@\(deno.app)/", "environment:read@HOME", "system:look@hostname")
    try await deno.decide(
      "deny", "main.ts", "files:write@*", "environment:read@SECRET", "network:connect@127.0.0.1")
    try await deno.decide("allow", "main.ts", "files:read@\(deno.app)/")
    let run = try await deno.run("main.ts")
    #expect(
      steps(run) == [
        "read 4", "write denied", "home true", "secret denied", "name true", "dead denied",
      ], "\(run.output) \(run.messages)")
    #expect(run.ending == .exited(0))
    withExtendedLifetime(broker) {}
  }

  @Test("An open question waits for a person, and a denial brings the note")
  func asked() async throws {
    guard let deno = try await DenoHome() else { return }
    let broker = try deno.home.broker()
    try deno.write("text", to: "a.txt")
    try deno.write(
      Self.start + """
        await step("one", () => Deno.readTextFileSync("a.txt").length);
        await step("two", () => Deno.readTextFileSync("a.txt").length);
        """, to: "main.ts")
    async let asking = deno.run("main.ts")
    let first = try await deno.home.pending(1)[0]
    #expect(first.label == "main.ts")
    _ = try await deno.home.answer(first.id, "allow")
    var second = first
    while second.id == first.id { second = try await deno.home.pending(1)[0] }
    _ = try await deno.home.answer(second.id, "deny", "--note", "ask Ana first")
    let run = try await asking
    #expect(steps(run) == ["one 4", "two denied"], "\(run.output) \(run.messages)")
    #expect(run.output.contains("ask Ana first"), "\(run.output)")
    withExtendedLifetime(broker) {}
  }

  @Test("A dashboard shows the question, and its keys answer it")
  func dashboard() async throws {
    guard let deno = try await DenoHome() else { return }
    let dashboard = try deno.home.terminal([BuiltProgram.path])
    try dashboard.expect("Capability")
    try deno.write("text", to: "a.txt")
    try deno.write("console.log(Deno.readTextFileSync('./a.txt'))", to: "main.ts")
    async let asking = deno.run("main.ts")
    try dashboard.expect("the question") {
      $0.contains("main.ts asks to read a file") && $0.contains("/app/a.txt") && $0.isArmed
    }
    dashboard.type("a")
    let run = try await asking
    #expect(run.output == "text\n", "\(run.messages)")
  }

  @Test("A command is asked about by name, and a child process of Deno asks for itself")
  func commands() async throws {
    guard let deno = try await DenoHome() else { return }
    let broker = try deno.home.broker()
    try deno.write(
      Self.start + """
        await step("echo", () => new Deno.Command("/bin/echo", { args: ["x"] }).outputSync().code);
        await step("sh", () => new Deno.Command("/bin/sh", { args: ["-c", "true"] }).outputSync().code);
        await step("child", () =>
          new TextDecoder().decode(new Deno.Command("\(deno.deno)", { args: ["run", "child.ts"] }).outputSync().stdout).trim());
        """, to: "main.ts")
    try deno.write(
      "try { Deno.env.get('HOME'); console.log('allowed') } catch { console.log('denied') }", to: "child.ts")
    try await deno.decide(
      "allow", "main.ts", "commands:run@/bin/echo", "commands:run@\(deno.deno)", "environment:read@*")
    try await deno.decide("deny", "main.ts", "commands:run@/bin/sh")
    try await deno.decide("deny", "child.ts", "environment:read@*")
    async let running = deno.run("main.ts")
    // A program that can run every other one is asked about each time.
    let waiting = try await deno.home.pending(1)[0]
    _ = try await deno.home.answer(waiting.id, "allow")
    let run = try await running
    #expect(steps(run) == ["echo 0", "sh denied", "child denied"], "\(run.output) \(run.messages)")
    withExtendedLifetime(broker) {}
  }

  @Test("Everything is denied or allowed as a whole: run null, env null, and a link, which needs all files")
  func everything() async throws {
    guard let deno = try await DenoHome() else { return }
    let broker = try deno.home.broker()
    try deno.write("text", to: "a.txt")
    try deno.write(
      Self.start + """
        await step("preload", () => new Deno.Command("true", { env: { LD_PRELOAD: "x" } }).outputSync().code);
        await step("all", () => Object.keys(Deno.env.toObject()).length > 0);
        await step("link", () => Deno.symlinkSync("a.txt", "link"));
        """, to: "main.ts")
    try await deno.decide("allow", "main.ts", "environment:read@*")
    try await deno.decide("deny", "main.ts", "commands:run@true", "files:write@\(deno.app)/a.txt")
    let run = try await deno.run("main.ts")
    #expect(steps(run) == ["preload denied", "all true", "link denied"], "\(run.output) \(run.messages)")
    #expect(try await deno.home.permtui("pending").output.isEmpty)
    withExtendedLifetime(broker) {}
  }

  @Test("A link is allowed only if the file to which it leads is")
  func link() async throws {
    guard let deno = try await DenoHome() else { return }
    let broker = try deno.home.broker()
    try FileManager.default.createDirectory(
      atPath: deno.app + "/public", withIntermediateDirectories: false)
    try deno.write("secret", to: "secret.txt")
    try deno.write("open", to: "public/a.txt")
    try FileManager.default.createSymbolicLink(
      atPath: deno.app + "/public/link", withDestinationPath: "../secret.txt")
    try deno.write(
      Self.start + """
        await step("file", () => Deno.readTextFileSync("public/a.txt"));
        await step("link", () => Deno.readTextFileSync("public/link"));
        """, to: "main.ts")
    try await deno.decide("allow", "main.ts", "files:read@\(deno.app)/public/")
    try await deno.decide("deny", "main.ts", "files:read@\(deno.app)/secret.txt")
    let run = try await deno.run("main.ts")
    #expect(steps(run) == ["file open", "link denied"], "\(run.output) \(run.messages)")
    withExtendedLifetime(broker) {}
  }

  @Test("Code from a host is asked about before the script starts")
  func imported() async throws {
    guard let deno = try await DenoHome() else { return }
    let broker = try deno.home.broker()
    try deno.write(
      "try { await import('http://127.0.0.1:9/x.js') } catch (e) { console.log(String(e)) }", to: "main.ts")
    try await deno.decide("deny", "main.ts", "code:import@127.0.0.1:9")
    let denied = try await deno.run("main.ts")
    #expect(denied.output.contains("denied in PermTUI"), "\(denied.output) \(denied.messages)")
    try await deno.decide("allow", "main.ts", "code:import@127.0.0.1:9")
    let allowed = try await deno.run("main.ts")
    #expect(!allowed.output.contains("denied in PermTUI"), "\(allowed.output) \(allowed.messages)")
    withExtendedLifetime(broker) {}
  }

  @Test("Many scripts at once, some with a worker, get their own answers")
  func many() async throws {
    guard let deno = try await DenoHome() else { return }
    let broker = try deno.home.broker()
    try deno.write(
      "let n = 0; for (let i = 0; i < 50; i++) { try { Deno.env.get('A' + i); n++ } catch { } }\\nself.postMessage(n);\\nself.close();"
        .replacing("\\n", with: "\n"), to: "worker.ts")
    for number in 0..<8 {
      let name = "main\(number).ts"
      try deno.write(
        """
        let n = 0;
        for (let i = 0; i < 50; i++) { try { Deno.env.get("A" + i); n++ } catch { } }
        const worker = new Worker(new URL("./worker.ts", import.meta.url).href, { type: "module" });
        worker.onmessage = (event) => console.log(n, event.data);
        """, to: name)
      try await deno.decide("allow", name, "files:read@\(deno.app)/")
      try await deno.decide(number.isMultiple(of: 2) ? "allow" : "deny", name, "environment:read@*")
    }
    let outputs = try await withThrowingTaskGroup(of: (Int, String).self) { group in
      for number in 0..<8 {
        group.addTask {
          let run = try await deno.run("main\(number).ts")
          return (number, run.output + run.messages)
        }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    for number in 0..<8 {
      let wanted = number.isMultiple(of: 2) ? "50 50\n" : "0 0\n"
      #expect(outputs[number]?.hasPrefix(wanted) == true, "\(number): \(outputs[number] ?? "")")
    }
    withExtendedLifetime(broker) {}
  }

  @Test("When the broker ends, an open question is denied; the next broker serves new processes")
  func goneAndBack() async throws {
    guard let deno = try await DenoHome() else { return }
    let broker = try deno.home.broker()
    try deno.write(Self.start + "await step('home', () => Deno.env.get('HOME')?.length > 0);", to: "main.ts")
    async let asking = deno.run("main.ts")
    _ = try await deno.home.waitingIDs(1)
    broker.signal(SIGTERM)
    #expect(try broker.waitForEnd() == .exit(code: 0))
    let run = try await asking
    #expect(
      steps(run) == ["home denied"] && run.output.contains("PermTUI ended"), "\(run.output) \(run.messages)")
    let without = try await deno.run("main.ts")
    #expect(without.ending == .exited(87) && without.output.isEmpty, "\(without.output)")
    let next = try deno.home.broker()
    #expect(try await deno.home.permtui("pending").output.isEmpty)
    try await deno.decide("allow", "main.ts", "environment:read@HOME")
    let again = try await deno.run("main.ts")
    #expect(steps(again) == ["home true"], "\(again.output) \(again.messages)")
    withExtendedLifetime(next) {}
  }

  @Test("Code from the command line, and a script that is interrupted")
  func doubtAndInterrupt() async throws {
    guard let deno = try await DenoHome() else { return }
    let broker = try deno.home.broker()
    try deno.write("Deno.env.get('HOME')", to: "main.ts")
    let process = try deno.home.terminal(deno.commandLine("main.ts"))
    let id = try await deno.home.waitingIDs(1)[0]
    process.signal(SIGINT)
    _ = try process.waitForEnd()
    while try await deno.home.permtui("pending").output.contains(id) {}
    let arguments = deno.commandLine("x").dropLast(3) + ["eval", "Deno.env.get('HOME')"]
    async let asking = deno.home.run(Array(arguments))
    let waiting = try await deno.home.pending(1)[0]
    let shown = try await deno.home.permtui("pending").output
    #expect(shown.contains("code from its command line"), "\(shown)")
    _ = try await deno.home.answer(waiting.id, "deny")
    _ = try await asking
    withExtendedLifetime(broker) {}
  }
}
