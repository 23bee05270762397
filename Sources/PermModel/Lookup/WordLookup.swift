import Machine

/// Finds out where the words of command lines lead as paths. Any of them could fill a hole of a line that was kept.
struct WordLookup: Sendable {
  let resolver: PathResolver
  let asker: ProcessIdentity

  /// The greatest number of words that are looked up.
  private static let most = 64

  /// Returns the words that are files or folders in the process's working folder, and those that lead out of it.
  ///
  /// - Parameter hasFolders: Whether a shell goes to the folder that a line names, and nowhere else.
  /// - Returns: `nil` if there are too many words, or if looking takes too long. Then no word fills a hole.
  func facts(about lines: [String], hasFolders: Bool = true) async -> WordFacts? {
    let words = Self.words(of: lines)
    let folders = hasFolders ? Set(lines.compactMap { ShellLine($0).inFolder?.folder }) : []
    guard words.count <= Self.most else { return nil }
    return try? await resolver.look { [resolver, asker] () throws(PathDoubt) in
      let view = ProcessView(of: asker.pid, startedAt: asker.startTime)
      let folder = try resolver.resolveNow([UInt8(ascii: ".")], in: view).path
      var facts = WordFacts()
      for word in words {
        switch Self.place(of: word, below: folder, resolver, view) {
        case .file: facts.files.insert(word)
        case .elsewhere: facts.leadingOut.insert(word)
        case .free: break
        }
      }
      for folder in folders { Self.add(folder, to: &facts, resolver, view) }
      return facts
    }
  }

  /// Adds a folder to which a line changes, unless it lies elsewhere, or behind a link.
  private static func add(
    _ folder: String, to facts: inout WordFacts, _ resolver: PathResolver, _ view: ProcessView
  ) {
    guard let own = try? resolver.resolveNow([UInt8(ascii: ".")], in: view).path,
      let found = try? resolver.resolveNow(Array(folder.utf8), in: view), found.entry?.kind == .folder,
      let here = try? AbsolutePath(own), let there = try? AbsolutePath(found.path),
      let spelled = try? AbsolutePath(
        folder.hasPrefix("/") ? Array(folder.utf8) : own + Array("/\(folder)".utf8)),
      spelled == there
    else { return }
    if there == here { facts.here.insert(folder) } else if here.isAbove(there) { facts.below.insert(folder) }
  }

  /// The texts that could be paths in the words of lines.
  private static func words(of lines: [String]) -> Set<String> {
    let commands = lines.flatMap { CertainLine($0)?.commands ?? [] }
    let words = commands.flatMap { $0.words.dropFirst() }.filter {
      $0.isKnown && $0.value.utf8.allSatisfy(Self.isPlain)
    }
    return Set(words.map(\.value).flatMap(HoledLine.paths)).filter { !$0.isEmpty }
  }

  /// Whether a byte can stand in a word that fills a hole. Texts are never looked up.
  private static func isPlain(_ byte: UInt8) -> Bool { (0x21...0x7e).contains(byte) }

  private enum Place { case file, free, elsewhere }

  private static func place(
    of word: String, below folder: [UInt8], _ resolver: PathResolver, _ view: ProcessView
  ) -> Place {
    guard let found = try? resolver.resolveNow(Array(word.utf8), in: view),
      let folder = try? AbsolutePath(folder), let path = try? AbsolutePath(found.path)
    else { return .elsewhere }
    guard path == folder || folder.isAbove(path) else { return .elsewhere }
    return found.entry.map { $0.kind == .file || $0.kind == .folder } == true ? .file : .free
  }
}
