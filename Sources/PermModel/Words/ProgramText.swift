extension Subject {
  /// The evidence about a program as one string, which stores use to compare and sort programs. It is empty if only the
  /// label is known. Otherwise it consists of the path, the file or process, the folder if there is one, and the
  /// sandbox, separated by tabs.
  var programText: String {
    guard !isUnbound || file != nil || folder != nil else { return "" }
    let file = fileless?.description ?? file.map { "\($0.inode):\($0.birth)" } ?? ""
    let place = folder.map { "\t\($0)" } ?? ""
    return "\(path ?? "")\t\(file)\(place)\t\(sandbox?.description ?? "")"
  }

  /// The range of ``programText`` values that refer to this program. If the path is known but the file is
  /// not, these are the values for all files at that path. If an agent's folder is unknown, they are the values for all
  /// folders.
  var programTexts: ClosedRange<String> {
    if let path, file == nil { return "\(path)\t"..."\(path)\n" }
    guard folder == .unknown else { return programText...programText }
    return textsInAnyFolder
  }

  /// The range of ``programText`` values for the same path and file in any folder, or in none.
  private var textsInAnyFolder: ClosedRange<String> {
    let file = fileless?.description ?? file.map { "\($0.inode):\($0.birth)" } ?? ""
    return "\(path ?? "")\t\(file)\t"..."\(path ?? "")\t\(file)\n"
  }

  /// The range of ``programText`` values for this program with whatever file and in whatever folder.
  var textsOfAgent: ClosedRange<String> {
    path.map { "\($0)\t"..."\($0)\n" } ?? textsInAnyFolder
  }

  /// The ranges of ``programText`` values for the programs whose allows a denial for this one can take back: the same
  /// program in any folder, and the label alone. They do not overlap.
  var textsDeniedTogether: [ClosedRange<String>] {
    let label = Subject(label: label).textsInAnyFolder
    return [""..."", label] + (textsInAnyFolder == label ? [] : [textsInAnyFolder])
  }

  init(label: String, programText: String) {
    self.init(label: label)
    // A path can contain tabs, so the other fields are split off from the end.
    var rest = programText[...]
    guard let sandbox = rest.popLastField(), var seen = rest.popLastField() else { return }
    if let folder = ProgramFolder(String(seen)), let before = rest.popLastField() {
      self.folder = folder
      seen = before
    }
    path = rest.isEmpty ? nil : String(rest)
    self.sandbox = Sandbox(String(sandbox))
    fileless = FilelessProgram(String(seen))
    file = FileIdentity(seen)
  }
}

extension Substring {
  /// Removes the last tab and the text after it, and returns that text; `nil` if there is no tab.
  fileprivate mutating func popLastField() -> Substring? {
    guard let tab = utf8.lastIndex(of: UInt8(ascii: "\t")) else { return nil }
    defer { self = self[..<tab] }
    return self[utf8.index(after: tab)...]
  }
}

extension FileIdentity {
  /// Reads the inode and the time of creation, separated by a colon.
  fileprivate init?(_ text: Substring) {
    let numbers = text.split(separator: ":")
    guard numbers.count == 2, let inode = UInt64(numbers[0]), let birth = Int64(numbers[1]) else {
      return nil
    }
    self.init(inode: inode, birth: birth)
  }
}
