import Foundation
import Testing

@Suite("Documentation")
struct DocumentationTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
  private static let catalogue = folder.appending(path: "../../../Sources/Operations/Operations.docc")

  private static func lines(_ file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
  }

  /// Returns the lines between one that begins a part and one that ends it, without their common indentation.
  private static func parts(of lines: [String], from start: String, to end: String) -> [String] {
    var (parts, current) = ([String](), [String]?.none)
    for line in lines {
      switch line.trimmingCharacters(in: .whitespaces) {
      case start: current = []
      case end where current != nil:
        parts.append(outdented(current ?? []))
        current = nil
      default: current?.append(line)
      }
    }
    return parts
  }

  private static func outdented(_ lines: [String]) -> String {
    let depths = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
    let lines = lines.map { String($0.dropFirst(depths.min() ?? 0)) }
    return lines.joined(separator: "\n").trimmingCharacters(in: .newlines)
  }

  private static let articles: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: catalogue.path)) ?? []
    return names.filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) }.sorted()
  }()

  @Test("The catalogue has the articles that a reader needs")
  func catalogue() {
    let wanted = [
      "BesideFoundation", "Cancellation", "Composition", "Conditions", "Exclusion", "Migration", "Operations",
      "OperationsAndQueues", "Parity",
    ]
    #expect(Self.articles == wanted)
  }

  @Test("Every example of an article is compiled and run, word for word", arguments: articles)
  func examples(article: String) throws {
    let blocks = Self.parts(
      of: try Self.lines(Self.catalogue.appending(path: "\(article).md")), from: "```swift", to: "```")
    let file = Self.folder.appending(path: "\(article)Examples.swift")
    let isThere = FileManager.default.fileExists(atPath: file.path)
    let examples = Self.parts(
      of: isThere ? try Self.lines(file) : [], from: "// begin example", to: "// end example")
    #expect(blocks == examples)
  }

  @Test("Every link of an article leads to an article or to something with that name", arguments: articles)
  func links(article: String) throws {
    let text = try Self.lines(Self.catalogue.appending(path: "\(article).md")).joined(separator: "\n")
    for link in text.matches(of: /<doc:([A-Za-z]+)>/) {
      #expect(Self.articles.contains(String(link.1)), "\(link.1)")
    }
    for symbol in text.matches(of: /``([A-Za-z]+)(?:\/[^`]*)?``/) where symbol.1 != "Operations" {
      #expect(Self.declaredTypes.contains(String(symbol.1)), "\(symbol.1)")
    }
  }

  @Test("Every example in a comment is part of an article's")
  func comments() throws {
    let examples = try Self.articles.flatMap { article in
      Self.parts(
        of: try Self.lines(Self.catalogue.appending(path: "\(article).md")), from: "```swift", to: "```")
    }
    var count = 0
    for file in Self.sources {
      let comments = try Self.lines(file).map(Self.uncommented)
      for block in Self.parts(of: comments, from: "```swift", to: "```") {
        count += 1
        #expect(examples.contains { $0.contains(block) }, "\(file.lastPathComponent): \(block)")
      }
    }
    #expect(count > 1)
  }

  private static func uncommented(_ line: String) -> String {
    let text = line.trimmingCharacters(in: .whitespaces)
    return text.hasPrefix("/// ") ? String(text.dropFirst(4)) : text.replacing("///", with: "")
  }

  private static let sources: [URL] = {
    let root = catalogue.appending(path: "../..")
    let files = ["Operations", "OperationsFoundation"].flatMap { target in
      let paths = try? FileManager.default.subpathsOfDirectory(atPath: root.appending(path: target).path)
      return (paths ?? []).filter { $0.hasSuffix(".swift") }.map { root.appending(path: "\(target)/\($0)") }
    }
    return files
  }()

  /// The names of all types in the sources.
  private static let declaredTypes = Set(
    sources.flatMap { file in ((try? lines(file)) ?? []).compactMap(declaredType) })

  private static func declaredType(_ line: String) -> String? {
    let words = line.split { !$0.isLetter }.map(String.init)
    guard let kind = words.firstIndex(where: ["protocol", "struct", "class", "enum"].contains) else {
      return nil
    }
    return kind + 1 < words.count ? words[kind + 1] : nil
  }
}
