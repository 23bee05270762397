extension Subject {
  /// The evidence about a program as one text, by which stores compare and sort: empty for a label alone, else path,
  /// file or process, and sandbox, with tabs between them.
  var programText: String {
    guard !isUnbound || file != nil else { return "" }
    let file = fileless?.description ?? file.map { "\($0.inode):\($0.birth)" } ?? ""
    return "\(path ?? "")\t\(file)\t\(sandbox?.description ?? "")"
  }

  /// The texts of all programs that a decision may hold for: this one, or any file at the same path.
  var programTexts: ClosedRange<String> {
    guard let path, file == nil else { return programText...programText }
    return "\(path)\t"..."\(path)\n"
  }

  init(label: String, programText: String) {
    self.init(label: label)
    // A path may contain tabs, so the last two fields are cut off from the end.
    let fields = programText.split(separator: "\t", omittingEmptySubsequences: false)
    guard fields.count >= 3 else { return }
    let path = fields.dropLast(2).joined(separator: "\t")
    self.path = path.isEmpty ? nil : path
    sandbox = Sandbox(String(fields[fields.count - 1]))
    let seen = String(fields[fields.count - 2])
    fileless = FilelessProgram(seen)
    let numbers = seen.split(separator: ":")
    if numbers.count == 2, let inode = UInt64(numbers[0]), let birth = Int64(numbers[1]) {
      file = FileIdentity(inode: inode, birth: birth)
    }
  }
}
