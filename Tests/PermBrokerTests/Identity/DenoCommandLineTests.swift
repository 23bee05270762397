import Testing

@testable import PermBroker

@Suite("Reading a command line of Deno")
struct DenoCommandLineTests {
  private func input(_ line: String) throws -> Interpreter.Input {
    let deno = try #require(Interpreter.named("deno"))
    return deno.input(of: ["deno"] + line.split(separator: " ").map(String.init))
  }

  @Test(
    "The script stands behind the subcommand, options and their values",
    arguments: [
      ("run x.ts", "x.ts"), ("x.ts run", "x.ts"), ("-A x.ts -c y", "x.ts"), ("run -A x.ts -- eval", "x.ts"),
      ("run -R=/c x.ts", "x.ts"), ("run --allow-read=/c,L x.ts", "x.ts"), ("-q run x.ts eval", "x.ts"),
      ("run -Lc x.ts", "x.ts"), ("run x.ts --preload y.ts", "x.ts"),
      ("-L debug run x.ts", "x.ts"), ("run --location https://a.org/b x.ts", "x.ts"),
      ("run --seed 4 --ext ts x.ts", "x.ts"), ("serve --port 80 --host a x.ts", "x.ts"),
      ("run -- -odd.ts", "-odd.ts"), ("test x.ts -- y.ts", "x.ts"), ("test --filter a x.ts", "x.ts"),
      ("bench x.ts", "x.ts"), ("watch x.ts", "x.ts"), ("run ./a:b.ts", "./a:b.ts"), ("main", "main"),
    ])
  func script(_ line: String, _ expected: String) throws {
    #expect(try input(line) == .script(expected))
  }

  @Test(
    "An option that loads other code, or that lets others in, leaves in doubt which code asks",
    arguments: [
      "run -c deno.json x.ts", "run --config deno.json x.ts", "run --config=deno.json x.ts",
      "run -qc deno.json x.ts", "run -cdeno.json x.ts", "run -c\u{301}.json x.ts", "run -RWc d.json x.ts",
      "-c deno.json x.ts",
      "run --preload y.ts x.ts", "run --preload=y.ts x.ts", "run --import y.ts x.ts",
      "run --require y.cjs x.ts", "run --import-map m.json x.ts", "run --import-map=m.json x.ts",
      "run --inspect x.ts", "run --inspect=0.0.0.0:1 x.ts", "run --inspect-brk x.ts", "--inspect-wait x.ts",
      "run --preload y.ts https://a.org/x.ts", "test --preload y.ts x.ts",
    ])
  func otherCode(_ line: String) throws {
    #expect(try input(line) == .code)
  }

  @Test("An https address with a path is a program without a file")
  func address() throws {
    for text in ["https://deno.land/std@0.224.0/http/file_server.ts", "https://a.org:8080/x.ts"] {
      #expect(try input("run -A \(text) arg") == .address(text))
    }
  }

  @Test(
    "Any other command line is in doubt",
    arguments: [
      ("", Interpreter.Input.code), ("eval console.log(1)", .code), ("repl", .code), ("-A repl x.ts", .code),
      ("jupyter --install", .code), ("run -", .input), ("-", .input), ("run", .module), ("serve -A", .module),
      ("test", .module), ("test a.ts b.ts", .module), ("bench a.ts b.ts", .module), ("task build", .module),
      ("fmt x.ts", .module), ("x npm:cowsay", .module), ("compile x.ts", .module),
      ("run npm:cowsay", .module),
      ("run jsr:@std/x", .module), ("run http://a.org/x.ts", .module), ("run https://a.org", .module),
      ("run https://a.org/", .module), ("run https://A.org/x.ts", .module),
      ("run https://u@a.org/x.ts", .module),
      ("run https://a.org/x.ts?y", .module), ("run data:text/javascript,1", .module),
      ("run file:///x.ts", .module), ("run https://a.org/\(String(repeating: "x", count: 64))", .module),
    ])
  func doubt(_ line: String, _ expected: Interpreter.Input) throws {
    #expect(try input(line) == expected)
  }
}
