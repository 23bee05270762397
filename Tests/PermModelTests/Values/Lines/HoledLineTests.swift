import Testing

@testable import PermModel

@Suite("Lines with holes")
struct HoledLineTests {
  private func fits(_ holes: String, _ line: String) throws -> Bool {
    try HoledLine(holes).filling(in: line) != nil
  }

  @Test(
    "A line fits if each of its words is the same, or fills a hole",
    arguments: [
      ("npm test -- {file}", "npm test -- src/a.test.ts"), ("npm test -- {file}", "npm test -- ./src"),
      ("pytest {file} -k {word} -x", "pytest t/test_a.py::test_b -k login -x"),
      ("git commit -m {text}", "git commit -m \"Fix it; then more\""),
      ("git commit -m {text}", "git commit -m 'Title\n\nBody'"),
      (
        "git commit -m {text}",
        "git commit -m \"$(cat <<'EOF'\nTitle\n\n- a `b` $(c) \"d\" 'e' ) END\nEOF\n)\""
      ),
      ("git commit -am {text} -q", "git commit -am \"$(cat <<'E'\nx\nE\n  )\" -q"),
      ("curl -s http://localhost:{number}/{name}", "curl -s http://localhost:8080/a/b-c"),
      ("curl -s http://localhost:8080/{name}", "curl -s http://localhost:8080/health"),
      ("rm -rf {dist|coverage}", "rm -rf dist"), ("x {word}", "x a 2>&1"), ("x {word}", "x a >/dev/null"),
      ("rm -rf {dist|coverage}", "rm  -rf 'coverage'"),
      ("sed -n {number},{number}p {file}", "sed -n 1,20p a.txt"),
      ("pytest --maxfail={number} {file}", "pytest --maxfail=3 t"), ("x --filter={word}", "x --filter=Abc"),
      ("head -n {number} {file}", "head -n 20 'a.txt'"), ("./run.sh {word}", "./run.sh fast"),
      ("x a-{word}.txt", "x a-b.c.txt"), ("x 'a b' {word}", "x \"a b\" c"),
    ])
  func fitting(holes: String, line: String) throws { #expect(try fits(holes, line)) }

  @Test(
    "A line in which a hole would be an option, lead elsewhere, or run something does not fit",
    arguments: [
      ("pytest {file}", "pytest -cevil.ini"), ("pytest {file}", "pytest --junitxml=F"),
      ("pytest {file}", "pytest /elsewhere/test_b.py"), ("pytest {file}", "pytest ../b.py"),
      ("pytest {file}", "pytest a/../../b.py"), ("pytest {file}", "pytest ~/b.py"),
      ("pytest {file}", "pytest a b"), ("pytest {file}", "pytest"), ("pytest {file}", "pytest .//a"),
      ("pytest {file}", "pytest a/"), ("pytest {file}", "pytest a::b::c"), ("pytest {file}", "pytest a::-x"),
      ("pytest {file}", "pytest ././a"), ("pytest {file}", "pytest .hidden"),
      ("rm -rf build-{word}", "rm -rf build-x/../../victim"), ("rm -rf build-{word}", "rm -rf build-a/b"),
      ("rm -rf build-{word}", "rm -rf build-"), ("rm -rf build-{word}", "rm -rf build-a..b"),
      ("rm -rf {dist|coverage}", "rm -rf dist/"), ("rm -rf {dist|coverage}", "rm -rf dist coverage"),
      ("rm -rf {dist|coverage}", "rm -rf dist|coverage"),
      ("rm -rf {dist|coverage}", "rm -rf {dist|coverage}"),
      ("x {word}", "x @/etc/passwd"), ("x {word}", "x =ls"), ("x {word}", "x a=b"), ("x {word}", "x a:b"),
      ("x {word}", "x a%b"), ("x {word}", "x -a"), ("x {word}", "x _a"), ("x {word}", "x é"),
      ("x {word}", "x $a"), ("x {word}", "x *"), ("x {word}", "x a; y"), ("x {word}", "x a | y"),
      ("x {word}", "x a > f"), ("x {word}", "x a 2>f"), ("x {word}", "x a &"), ("x {word}", "x a\ny"),
      ("x {word}", "cd y && x a"), ("x {word}", "./x a"), ("x {word}", "A=b x a"), ("x {word}", "sudo x a"),
      ("x {word}", "x ''"), ("x {word}", "x 'a b'"), ("x {word}", "x \"a\nb\""),
      ("x {number}", "x +1"), ("x {number}", "x -1"), ("x {number}", "x 1e9"), ("x {number}", "x 0x10"),
      ("x {number}", "x 1234567890"), ("x {number}", "x ١"), ("x {name}", "x a//b"), ("x {name}", "x /a"),
      ("x {name}", "x a/../b"), ("x {name}", "x a/-b"), ("git commit -m {text}", "git commit -m fix"),
      ("git commit -m {text}", "git commit -m \"$x\""), ("git commit -m {text}", "git commit -m '-F' "),
      ("git commit -m {text}", "git commit -m '-Fx'"), ("x {text}", "x '@f'"), ("x {text}", "x '=ls'"),
      ("x {text}", "x 'a'\"b\""), ("x {text}", "x a'b'"), ("x {text}", "x 'a' 'b'"),
      ("x {text}", "x \"a\\\"b\""),
      ("curl http://localhost:{number}/{name}", "curl http://localhost:80/a@b"),
      ("curl http://localhost:{number}/{name}", "curl http://localhost:80@evil/a"),
      ("sed -n {number},{number}p {file}", "sed -n 1,2w a"),
    ])
  func notFitting(holes: String, line: String) throws { #expect(try !fits(holes, line), "\(line)") }

  @Test(
    "A here-document that some shell ends earlier is no text",
    arguments: [
      "\"$(cat <<'END'\na\nEND)\"; touch HIT; : \"\nEND\n)\"", "\"$(cat <<'END' >F\na\nEND\n)\"",
      "\"$(cat <<'END'; x\na\nEND\n)\"", "\"$(cat <<END\na\nEND\n)\"",
      "\"$(cat <<-'END'\na\nEND\n)\"", "\"$(cat <<'END'\na\n\tEND\nEND\n)\"",
      "\"$(cat <<'END'\na\n ENDx\nEND\n)\"", "\"$(cat <<'END'\na\nEND\n) \"", "\"$(cat <<'END'\na\nEND\n)x\"",
      "\"$(cat <<'END'\na\nEND\n)\"x", "\"$(cat <<'END'\na\rb\nEND\n)\"", "\"$(cat <<'END'\na\u{0}\nEND\n)\"",
      "\"$(cat <<'E D'\na\nE D\n)\"", "\"$(cat <<'end'\na\nend\n)\"", "\"$(cat <<''\na\n\n)\"",
      "\"$(cat <<'END'\na\nEND\n)\"; x", "\"$(cat <<'END'\na\nEND\n)\" && x",
      "\"$(cat f <<'END'\na\nEND\n)\"", "x\"$(cat <<'END'\na\nEND\n)\"", "\"$(cat <<'END'\na\nEND\nb\n)\"",
      "\"$(cat <<'END'\na\u{1b}[0m\nEND\n)\"", "\"$(cat <<'END' \na\nEND\n)\"", "\"$(cat <<'END'\nEND\n\n)\"",
      "\"$(cat <<'END'\r\na\r\nEND\r\n)\"", "\"$(cat <<'END'\na\nEND\\\n)\"",
    ])
  func hereDocuments(word: String) throws {
    #expect(try !fits("git commit -m {text}", "git commit -m \(word)"))
  }

  @Test(
    "A hole that could stand for too much is refused",
    arguments: [
      "{word} a", "git {word}", "npm {word}", "git -C {file} {word}", "make {word}", "npm run {word} {file}",
      "git push origin {word}", "git fetch {word}", "npm install {word}", "npx {word}", "pip install {name}",
      "curl {word}", "curl -d {word} http://a/", "curl http://{word}.example.com", "curl http://{word}/",
      "curl http://a{word}/", "curl http://a:{word}/x", "curl http://a:{number}",
      "curl http://a:{number}{name}", "ssh {word} ls",
      "x -k{word}", "x -{word}", "x --{word}", "x --a{word}", "x @{word}", "x a@{word}", "x a={word}",
      "x ../{word}", "x a..{word}", "x ~/{word}", "x {word}{number}", "x {text}a", "x --m={text}", "x {port}",
      "x {a|}", "x {a/|b}",
      "x {-a|b}", "x {word}; y", "x {word} | y", "x {word} 2>&1", "x $a {word}", "x * {word}", "x {word} &",
      "cd a && x {word}", "x {word} > f", " x {word}", "x {word} ", "x '{word}'", "x 'a", "x {}", "x", "",
      "x {word} {b}",
      "x 0hole00 {word}", "A=b x {word}", "x \\{word} {word", "env {word}", "sudo {word}", "sh -c {text}",
      "python3 -c {text}", "xargs {word}", "git -c {text} x", "timeout {number} {word}",
    ])
  func refused(text: String) {
    #expect(throws: ScopeError.self) { try HoledLine(text) }
  }

  @Test(
    "Braces that are no holes belong to the line",
    arguments: [
      "git log @{u}..", "git log HEAD@{upstream}", "git reset HEAD@{1}", "echo ${HOME}",
      "xargs -I {} cp {} x", "awk '{print}' f", "awk '{ print $1 }' f", "echo {a,b}", "echo {1..3}",
      "{ ls; }", "x '{word}'", "x \"{file}\"", "find . -exec ls {} +",
    ])
  func noHoles(line: String) { #expect(!HoledLine.isMeant(by: line)) }

  @Test("The words to look up are those that fill holes")
  func fillings() throws {
    let holes = try HoledLine("pytest --rootdir={name} {file} -k {word} -m {text} {number}")
    let found = try #require(holes.filling(in: "pytest --rootdir=a/b ./t/x.py::y -k z -m 'w v' 5"))
    #expect(found.map(\.word) == ["--rootdir=a/b", "./t/x.py::y", "z", "5"])
    #expect(found.map(\.file) == [nil, "./t/x.py", nil, nil])
  }

  @Test("A denial is about the words before the first hole")
  func starts() throws {
    let starts = [
      "npm test -- {file}": "npm test --", "git commit -m {text}": "git commit -m",
      "./run.sh {word}": "run.sh",
      "x 'a b' {word}": "x", "rm -rf {a|b}": "rm -rf",
    ]
    for (text, start) in starts { #expect(try HoledLine(text).start?.text == start) }
  }

  @Test("Lines that run what files of the folder say are known")
  func folder() throws {
    for text in [
      "pytest {file}", "npm test -- {file}", "./x {word}", "node {file}", "a/b {word}",
      "cargo test {word}",
    ] {
      #expect(try HoledLine(text).runsFolder, "\(text)")
    }
    for text in ["git commit -m {text}", "head -n {number} {file}", "rm -rf {a|b}", "/usr/bin/x {word}"] {
      #expect(try !HoledLine(text).runsFolder, "\(text)")
    }
  }

  @Test(
    "The line that covers two lines has the word that differs as its hole",
    arguments: [
      ("npm test -- src/a.ts", "npm test -- src/b.ts", "npm test -- {file}"),
      ("head -n 5 f", "head -n 20 f", "head -n {number} f"),
      ("git commit -m 'Fix it'", "git commit -m \"Add: x\"", "git commit -m {text}"),
      ("git commit -m 'Fix it'", "git commit -m \"$(cat <<'EOF'\nx\nEOF\n)\"", "git commit -m {text}"),
      ("x --filter=A", "x --filter=B", "x --filter={word}"), ("x main", "x a/b", "x {name}"),
      ("x 'a b' main 2>&1", "x 'a b' dev", "x 'a b' {word}"),
    ])
  func likeness(line: String, other: String, text: String) throws {
    let found = try #require(HoledLine(covering: line, other, files: ["src/a.ts"]))
    #expect(found.text == text)
    #expect(found.filling(in: line) != nil)
  }

  @Test(
    "No line covers lines that differ in more than a word, or in one that may not vary",
    arguments: [
      ("x a b", "x c d"), ("x a", "x a b"), ("x a", "y a"), ("x a", "x a"), ("git status", "git log"),
      ("x -a", "x -b"), ("x ../a", "x ../b"), ("x a; y", "x b; y"), ("curl http://a/", "curl http://b/"),
      ("git push origin a", "git push origin b"), ("x $a", "x $b"), ("x a=b", "x a=c"),
      ("sh -c 'a b'", "sh -c 'c d'"),
    ])
  func noLikeness(line: String, other: String) {
    #expect(HoledLine(covering: line, other, files: []) == nil)
  }

  @Test("A word with many holes is compared in little time")
  func manyHoles() throws {
    let holes = try HoledLine("x \(Array(repeating: "{word}", count: 12).joined(separator: "-"))")
    let line = "x \(String(repeating: "a-", count: 100))/"
    #expect(holes.filling(in: line) == nil)
  }
}
