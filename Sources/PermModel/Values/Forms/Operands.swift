/// The words of a line that are neither the program nor options.
enum Operands: Hashable, Sendable {
  /// Any number of revisions, or of files inside the repository; with `REV:PATH` if `withPaths` is set.
  case revisions(withPaths: Bool = false)
  /// Any number of paths. The program reads them, or the working folder if `orFolder` is set and there are none.
  case paths(orFolder: Bool)
  /// A number of files, none of them a folder.
  case files(ClosedRange<Int>)
  /// A pattern, then paths. Without paths, the program reads the working folder if it has one of these options.
  case pattern(orFolderWith: Set<String>)
  /// A list of lines to print, then files.
  case lines
  /// A filter that reads nothing by itself, then files.
  case filter
  /// The name of another repository, and the name of a branch.
  case remoteAndBranch
  /// Names of targets, programs or packages.
  case names(ClosedRange<Int>)
  /// Tests, or folders of tests, in the working folder.
  case tests
  /// Any words. The program only prints them.
  case texts
  /// The options and words that a program may be given if it only reads its input.
  case input
  /// A format that only inserts texts, then texts.
  case format
  /// A question about a file, a text or a number.
  case test
  case none

  /// Whether the words fit.
  func accept(_ given: OptionList.Given) -> Bool {
    let words = given.operands
    guard !words.contains("") || self == .test else { return false }
    switch self {
    case .none: return words.isEmpty
    case .revisions(let withPaths): return words.allSatisfy { Self.isRevision($0[...], withPaths) }
    case .paths: return words.allSatisfy(Self.isPlace)
    case .files(let count): return count.contains(words.count) && words.allSatisfy(Self.isPlace)
    case .pattern: return !words.isEmpty && words.dropFirst().allSatisfy(Self.isPlace)
    case .lines: return given.options == ["n"] && Self.isLines(words)
    case .filter:
      return words.first.map(InputReader.isFilter) != false && words.dropFirst().allSatisfy(Self.isPlace)
    case .names(let count): return count.contains(words.count) && words.allSatisfy(Self.isNameHere)
    case .tests: return words.allSatisfy(Self.isNameHere)
    case .remoteAndBranch:
      // With a dot or a slash, git could take the first name for a folder, and run the hooks in it.
      guard words.count == 2, let remote = words.first else { return false }
      return words.allSatisfy(Self.isName) && !remote.contains { "./".contains($0) }
    case .texts, .input: return true
    case .format: return words.first.map(Self.isFormat) == true
    case .test: return FileTest(words) != nil
    }
  }

  /// The paths among the words.
  func paths(_ given: OptionList.Given) -> [String] {
    let words = given.operands
    switch self {
    case .paths(let orFolder): return words.isEmpty && orFolder ? ["."] : words
    case .files: return words
    case .tests: return words.map(Self.file(of:))
    case .pattern(let options):
      let isWhole = words.count == 1 && !options.isDisjoint(with: given.options)
      return isWhole ? ["."] : Array(words.dropFirst())
    case .lines, .filter: return Array(words.dropFirst())
    case .test: return FileTest(words)?.path.map { [$0] } ?? []
    default: return []
    }
  }

  /// The words that are neither names nor paths, but texts that the program prints or looks for.
  func texts(_ given: OptionList.Given) -> ArraySlice<String> {
    switch self {
    case .texts: given.operands[...]
    case .format: given.operands.dropFirst()
    case .pattern: given.operands.prefix(1)
    default: []
    }
  }

  // MARK: Words

  /// The file of a test that is named by its file and its own name, as in `a.py::test`.
  private static func file(of test: String) -> String {
    test.firstRange(of: "::").map { String(test[..<$0.lowerBound]) } ?? test
  }

  /// Whether a word is a path that no shell replaces, and no program takes for its input.
  static func isPlace(_ word: String) -> Bool {
    !word.isEmpty && word != "-" && !word.contains("^") && !word.contains("~")
  }

  private static func isName(_ word: String) -> Bool {
    !word.isEmpty && word.utf8.allSatisfy { $0.isNameByte || Array("-./,".utf8).contains($0) }
  }

  /// Whether a word is a name that means nothing outside of the folder.
  private static func isNameHere(_ word: String) -> Bool {
    isName(word.filter { $0 != ":" }) && !word.hasPrefix(":") && !word.hasPrefix("/") && !leadsUp(word[...])
  }

  private static func leadsUp(_ word: Substring) -> Bool {
    word.split(separator: "/", omittingEmptySubsequences: false).contains("..")
  }

  /// Whether a word is a revision, a range of revisions, or a file that does not lie outside of the repository. Git
  /// compares and prints any files on the machine if they lie outside.
  private static func isRevision(_ word: Substring, _ withPaths: Bool) -> Bool {
    guard !word.hasPrefix("/"), !leadsUp(word) else { return false }
    guard let colon = word.firstIndex(of: ":") else { return true }
    let (revision, path) = (word[..<colon], word[word.index(after: colon)...])
    return withPaths && !revision.isEmpty && !path.isEmpty && !path.contains(":") && !path.hasPrefix("/")
      && !path.hasPrefix(".")
  }

  /// Whether the first word names lines by numbers, and prints them, as `1,20p` does.
  private static func isLines(_ words: [String]) -> Bool {
    guard let list = words.first, list.hasSuffix("p"), words.count > 1 else { return false }
    let ends = list.dropLast().split(separator: ",", omittingEmptySubsequences: false)
    return (1...2).contains(ends.count) && ends.allSatisfy { $0.isNumber || $0 == "$" }
      && words.dropFirst().allSatisfy(isPlace)
  }

  /// Whether a format has no other directives than `%s` and `%%`.
  private static func isFormat(_ word: String) -> Bool {
    if word.hasPrefix("-") { return false }
    var rest = Array(word.utf8)[...]
    while let sign = rest.firstIndex(of: UInt8(ascii: "%")) {
      rest = rest[sign...].dropFirst()
      guard let next = rest.popFirst(), Array("s%".utf8).contains(next) else { return false }
    }
    return true
  }
}

/// The words of `test`, as far as no shell runs anything in them.
private struct FileTest {
  /// The file that the question is about; `nil` if it is about something else.
  var path: String?

  init?(_ words: [String]) {
    var words = words[...]
    if words.first == "!" { words.removeFirst() }
    let list = Array(words)
    switch list.count {
    case 2 where ["-d", "-e", "-f", "-h", "-L", "-r", "-s", "-w", "-x"].contains(list[0]):
      guard Operands.isPlace(list[1]) else { return nil }
      path = list[1]
    case 2 where list[0] == "-n" || list[0] == "-z": break
    case 3 where ["=", "!="].contains(list[1]): break
    case 3 where ["-eq", "-ne", "-lt", "-le", "-gt", "-ge"].contains(list[1]):
      guard list[0][...].isNumber, list[2][...].isNumber else { return nil }
    default: return nil
    }
    // A word that looks like an operator could change the question.
    let asked = list.count == 3 ? [list[0], list[2]] : [list[1]]
    guard asked.allSatisfy({ !"-!()=^".contains($0.first ?? "-") }) else { return nil }
  }
}
