import Foundation
import Testing
import Waiting

@testable import PermModel

@Suite("Scopes", .usesOneThread)
struct ScopeTests {
  @Test(
    "Each text stands for its scope, and is written back",
    arguments: [
      (Scope.Kind.path, "/home/ana/a b@2x.png"), (.path, "/srv/x/"), (.path, "/srv/x"),
      (.path, "/tmp/caf\\xe9.txt"), (.path, "/tmp/a\\nb\\\\c"), (.path, "*"), (.path, "/\\*"), (.path, "/"),
      (.host, "[::1]:8080"), (.host, "[2001:db8::1]"), (.host, "xn--bcher-kva.example"),
      (.host, "*.github.com"),
      (.host, "1.2.3.4:80"), (.command, "git log --format='%h, %s'"), (.command, "ls *"), (.command, "\\*"),
      (.command, "*"), (.command, "go test ./..."), (.command, "echo \\…"), (.command, "git status …"),
      (.command, "cat <<E\\nhi\\nE"), (.command, "rm …"), (.command, "git push --force …"),
      (.command, "git push …"), (.command, "git push git@example.org:ana/app.git …"),
      (.command, "git push ssh://git@example.org:22/app …"), (.command, "npm test -- {file}"),
      (.command, "rm -rf {dist|coverage}"),
      (.command, "echo \\{word}"), (.command, "find . -exec ls {} +"), (.command, "ls \\\\\\{name} {a"),
      (.command, "git commit -m {text}"), (.command, "x '{word}'"), (.command, "x \\{port}"),
      (.name, "AWS*"), (.name, "a\\\\*"), (.name, "a**"), (.name, "a\\*"), (.name, "mcp__x__*"),
      (.name, "a *"), (.name, "b\\,c"), (.name, "nas"), (.name, "\\*"), (.name, "\\u{202E}x"),
    ])
  func roundTrip(kind: Scope.Kind, text: String) throws {
    #expect(try Scope(text, kind: kind).text == text)
  }

  @Test("Random scopes are read back from their text, their key and their fields as they were")
  func random() throws {
    var numbers = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      let scope = Self.scope(&numbers)
      let kind = try #require(scope.kind)
      #expect(try Scope(scope.text, kind: kind) == scope, "\(scope.text)")
      #expect(Scope(key: scope.key) == scope, "\(scope.text)")
      #expect(scope.candidateKeys.map(Array.init) == scope.candidates.map(\.key), "\(scope.text)")
      #expect(
        try JSONDecoder().decode(Scope.self, from: JSONEncoder().encode(scope)) == scope, "\(scope.text)")
    }
  }

  @Test("A form that sends is bound to an address; a denial of it holds for every address")
  func boundForm() throws {
    let bound = try Scope("git push git@example.org:a.git …", kind: .command)
    let open = try Scope("git push …", kind: .command)
    #expect(bound == .form("git push git@example.org:a.git") && open == .form("git push"))
    #expect(Scope(key: bound.key) == bound && bound.candidates.contains(open.denied))
    #expect(bound.covers(.command("git push origin main")))
    #expect(!bound.covers(.command("git push -f origin main")))
    #expect(bound.denied == open.denied)
    #expect(!bound.covers(open) && !open.covers(bound))
    for text in ["git push /tmp/a …", "git push ext::x …", "git push a@b:c d …", "git status a@b:c …"] {
      #expect(CommandForm(named: String(text.dropLast(2))) == nil, "\(text)")
    }
  }

  @Test("Each text that is a scope is read back from the text form of that scope")
  func randomTexts() throws {
    var numbers = SystemRandomNumberGenerator()
    let signs = Array("/.~*@,:\\n…[]a1-{}| \u{202e}".unicodeScalars)
    for kind in Scope.Kind.allCases {
      for _ in 0..<20_000 {
        var text = kind == .path ? "/" : ""
        for _ in 0..<Int.random(in: 0...6, using: &numbers) {
          text.unicodeScalars.append(Self.pick(signs, &numbers))
        }
        guard let scope = try? Scope(text, kind: kind) else { continue }
        #expect(try Scope(scope.text, kind: kind) == scope, "\(text)")
      }
    }
  }

  @Test(
    "The root is never a single entry, because its text means everything below it",
    arguments: ["/.", "//.", "/./."])
  func rootAlone(text: String) throws {
    #expect(throws: ScopeError.rootAlone) { try Scope(text, kind: .path) }
    #expect(try Scope("\(text)/", kind: .path) == .folder(.root))
  }

  @Test("The keys of all scopes that a scope covers are in its range, and so is its own")
  func keys() throws {
    var numbers = SystemRandomNumberGenerator()
    let root = Scope.folder(.root)
    for _ in 0..<20_000 {
      let (one, other) = (Self.path(&numbers), Self.path(&numbers))
      for (one, other) in [(one, other), (one, one), (root, root), (root, other)] {
        let (first, after) = one.keysInside
        let key = other.key
        let isInside = !key.lexicographicallyPrecedes(first) && key.lexicographicallyPrecedes(after)
        #expect(isInside || !one.covers(other), "\(one.text) \(other.text)")
      }
    }
  }

  private static func scope(_ numbers: inout SystemRandomNumberGenerator) -> Scope {
    let signs = Array("ab/\\*,…@{}| \n\t\u{202e}é. \u{0301}-".unicodeScalars)
    var text = ""
    for _ in 0..<Int.random(in: 1...8, using: &numbers) { text.unicodeScalars.append(pick(signs, &numbers)) }
    switch Int.random(in: 0..<8, using: &numbers) {
    case 7:
      let line = pick(
        ["npm test -- {file}", "x {a|b} 'c d'", "./x {word}", "git commit -m {text}"], &numbers)
      return (try? HoledLine(line)).map { .lines($0) } ?? .any
    case 5: return .names(text)
    case 6:
      return (try? Scope.leading(pick(["rm", "git push", "git push -f", "ls", "a-b c.d"], &numbers))) ?? .any
    case 0, 1:
      let bytes = (0..<Int.random(in: 0...6)).map { _ in UInt8.random(in: 1...255, using: &numbers) }
      guard let path = try? AbsolutePath([UInt8(ascii: "/")] + bytes) else { return .name("x") }
      // The root is always a folder.
      return Bool.random(using: &numbers) || path == .root ? .folder(path) : .path(path)
    case 2: return .command(text)
    case 3:
      let host = pick(["a.org", "b.a.org", "d.c.b.a.org", "127.0.0.1", "::1", "xn--a.b"], &numbers)
      let port = pick([nil, 1, 443, UInt16.max], &numbers)
      guard let host = try? Host(host) else { return .name("x") }
      return port == 1 && !host.isAddress ? .domain(host) : .host(host, port: port)
    default: return .name(text)
    }
  }

  private static func pick<Element>(_ elements: [Element], _ numbers: inout SystemRandomNumberGenerator)
    -> Element
  {
    elements[Int.random(in: elements.indices, using: &numbers)]
  }

  private static func path(_ numbers: inout SystemRandomNumberGenerator) -> Scope {
    let names = (0..<Int.random(in: 1...3, using: &numbers)).map { _ in
      pick(["a", "ab", "b", "a-"], &numbers)
    }
    guard let path = try? AbsolutePath("/" + names.joined(separator: "/")) else { return .any }
    return Bool.random(using: &numbers) ? .folder(path) : .path(path)
  }

  @Test("Texts that look alike but have other bytes are different values")
  func composition() {
    let composed = [Scope.command("cat \u{e9}"), .name("\u{e9}")]
    let decomposed = [Scope.command("cat e\u{301}"), .name("e\u{301}")]
    #expect(Set(composed + decomposed).count == 4)
    for (one, other) in zip(composed, decomposed) { #expect(!one.covers(other)) }
  }

  @Test(
    "Every spelling of a path is written in one way",
    arguments: [
      ("/", "/"), ("//", "/"), ("/.", "/"), ("/a//b", "/a/b"), ("/a/./b", "/a/b"), ("/a/", "/a"),
      ("/a/.", "/a"),
      ("/.a/..b/...", "/.a/..b/..."), ("/a./b..", "/a./b.."),
    ])
  func paths(text: String, path: String) throws { #expect(try AbsolutePath(text).bytes == Array(path.utf8)) }

  @Test("A path that leads upwards is refused", arguments: ["/..", "/a/..", "/../a", "/a/../b", "/a//../b"])
  func upwards(text: String) { #expect(throws: ScopeError.self) { try AbsolutePath(text) } }

  @Test(
    "Every spelling of a host is written in one way",
    arguments: [
      ("LocalHost.", "localhost"), ("127.1", "127.0.0.1"), ("0x7f.1", "127.0.0.1"),
      ("2130706433", "127.0.0.1"),
      ("0177.0.0.01", "127.0.0.1"), ("[::FFFF:127.0.0.1]", "127.0.0.1"),
      ("2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("::", "::"), ("1::", "1::"), ("::1", "::1"),
      ("[1:0:0:2::]", "1:0:0:2::"),
    ])
  func hosts(text: String, name: String) throws { #expect(try Host(text).name == name) }

  @Test(
    "Text that is not a host is refused",
    arguments: [
      "", ".", "a..b", "-a", "a-", "user@host", "a\\b", "a%41", "a b", "bücher.example", "1.2.3.4.5",
      "256.1.1.1",
      "1.2.3.08", "0x", "[::1", "::1]", "1::2::3", "fe80::1%eth0", "[::1]x", "a b", "*", "a.*", "12345::",
      ":::",
      "1:2:3:4:5:6:7", "1.2.3.4294967296", "0xzz", "1.2.3.0x", "٣.1",
    ])
  func notHosts(text: String) { #expect(throws: ScopeError.self) { try Host(text) } }

  @Test(
    "Text that is not a host with a port, or not a domain, is refused",
    arguments: [
      "a:0", "a:65536", "a:", "a:+1", "[::1]:", "*.com", "*.1.2.3.4", "http://a/b", "a:80:80",
      "evil.com/x?://good.org:443", "user:pw%\\ x://good.org", "://good.org",
    ])
  func notPorts(text: String) { #expect(throws: ScopeError.self) { try Scope(text, kind: .host) } }

  @Test("A scheme before a host is dropped")
  func scheme() throws {
    #expect(try Scope("https://A.com:443", kind: .host) == .host(try Host("a.com"), port: 443))
  }

  @Test(
    "A value that is over its limit, empty, not absolute, or leads upwards is refused",
    arguments: [
      (Scope.Kind.path, ""), (.path, "a"), (.path, "/a/../b"), (.path, "/a\\x00"), (.path, "/a\\"),
      (.path, "/a\\q"),
      (.path, "/" + String(repeating: "a", count: 4096)), (.command, String(repeating: "a", count: 8193)),
      (.command, "\\xff"), (.command, "/bin/rm …"), (.command, "git  x …"), (.command, "a; b …"),
      (.command, "'a' …"), (.command, " …"),
      (.name, String(repeating: "a", count: 257) + "*"), (.name, String(repeating: "a", count: 257)),
      (.name, "\\x00"),
    ])
  func refused(kind: Scope.Kind, text: String) {
    #expect(throws: ScopeError.self) { try Scope(text, kind: kind) }
  }

  @Test(
    "The scopes that cover a value are in order, the narrowest first",
    arguments: [
      (Scope.Kind.path, "/x/y", ["/x/y", "/x/y/", "/x/", "/", "*"]), (.path, "/x/", ["/x/", "/", "*"]),
      (.host, "a.b.c:1", ["a.b.c:1", "a.b.c", "*.b.c", "*"]),
      (.host, "127.0.0.1:1", ["127.0.0.1:1", "127.0.0.1", "*"]),
      (.host, "*.a.b.c", ["*.a.b.c", "*.b.c", "*"]), (.name, "xy", ["xy", "xy*", "x*", "*"]),
      (.name, "xy*", ["xy*", "x*", "*"]),
      (.command, "git status -s", ["git status -s", "git status …", "*"]),
      (.command, "git push -f …", ["git push -f …", "git push …", "git …", "*"]),
      (.command, "rm x", ["rm x", "*"]),
    ])
  func candidates(kind: Scope.Kind, text: String, wider: [String]) throws {
    let scope = try Scope(text, kind: kind)
    #expect(scope.candidates.map(\.text) == wider)
    for (one, next) in zip(scope.candidates, scope.candidates.dropFirst()) { #expect(next.covers(one)) }
  }
}
