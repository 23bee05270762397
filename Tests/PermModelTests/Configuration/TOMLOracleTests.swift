import Foundation
import Testing

@testable import PermModel

/// The reader of settings, held against Python's reader of the whole language.
@Suite("Settings, held against Python's TOML", .timeLimit(.minutes(5)))
struct TOMLOracleTests {
  /// Lines of settings, and lines that are nearly settings. None adds to a table in braces, which TOML closes and this reader
  /// does not.
  private static let lines = [
    "a = 1", "b = 'x'", "c = \"y\\n\\u00e9\"", "d.e = true", "'f g' = -7", "h = [1, 'two', [3],]",
    "i = { j = 1, k.l = 'm' }",
    "[n]", "[n.o]", "[[p]]", "[[p.q]]", "[p.r]", "# nothing", "s = '''\nt'''", "u = \"\"\"\\\n  v\"\"\"",
    "a = 2", "d = 3",
    "[d]", "w = 1_000", "x = +0", "y", "z =", "= 1", "aa = [1", "bb = 'cc", "[dd", "ee = 01", "ff = tru",
    "gg = {}", "hh..ii = 1",
    "jj = 0x1f", "kk = 1.5", "ll = 2026-01-01", "mm = {a = 1,}", "nn = \"\\q\"", "oo = 1 2", "[n] # again",
    "d.f = 1",
    "pp = 9223372036854775807", "\"\" = 1", "qq = 1__0", "rr = \"\t\"", "ss = \"\u{1}\"",
  ]
  /// Values that settings never need, so that they are refused though they are TOML.
  private static let unneeded = ["0x1f", "1.5", "2026-01-01"]

  private static let oracle = """
    import json, sys, tomllib
    for line in sys.stdin:
        try: print(json.dumps(tomllib.loads(json.loads(line)), sort_keys=True, default=str))
        except tomllib.TOMLDecodeError: print("null")
    """

  @Test("A text without mistakes means the same there, and each mistake is one there, too")
  func agree() throws {
    var generator = SeededGenerator(seed: 39)
    let texts = (0..<3_000).map { _ in
      (0..<Int.random(in: 1...7, using: &generator)).map { _ in
        Self.lines.randomElement(using: &generator) ?? ""
      }
      .joined(separator: "\n")
    }
    let expected = try Self.python(texts)
    #expect(expected.count == texts.count)
    var agreed = 0
    for (text, other) in zip(texts, expected) {
      let (entries, problems) = ConfigurationReader.read(text, file: "c")
      if problems.isEmpty {
        #expect(
          try JSONSerialization.jsonObject(with: Data(other.utf8), options: .fragmentsAllowed) as? NSObject
            == entries.object, "\(text)")
        agreed += 1
      } else if other != "null" {
        #expect(Self.unneeded.contains { text.contains($0) }, "\(text)\n\(problems)")
      }
    }
    #expect(agreed > 300)
  }

  private static func python(_ texts: [String]) throws -> [String] {
    let input = try texts.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "permtui-toml-\(UUID().uuidString)")
    try Data(input.joined(separator: "\n").utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", oracle]
    process.standardInput = try FileHandle(forReadingFrom: file)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

extension ConfigurationEntries {
  /// The same as an object of Foundation.
  fileprivate var object: NSObject {
    Dictionary(uniqueKeysWithValues: keys.compactMap { key in self[key].map { (key, $0.object) } })
      as NSDictionary
  }
}

extension ConfigurationValue {
  fileprivate var object: NSObject {
    switch self {
    case .text(let text): text as NSString
    case .integer(let number): number as NSNumber
    case .flag(let flag): flag as NSNumber
    case .list(let values): values.map(\.object) as NSArray
    case .table(let entries): entries.object
    }
  }
}
