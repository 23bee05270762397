extension Subject {
  /// The seen side of a program as one text, by which stores compare and sort: empty for a label alone, else
  /// path, file and sandbox, each after a tab.
  var programText: String {
    guard path != nil || file != nil || isSandboxed else { return "" }
    let file = file.map { "\($0.inode):\($0.birth)" } ?? ""
    return "\(path ?? "")\t\(file)\t\(isSandboxed ? "sandboxed" : "")"
  }

  init(label: String, programText: String) {
    self.init(label: label)
    // A path may hold tabs of its own, so the two fields behind it are cut off from the end.
    let fields = programText.split(separator: "\t", omittingEmptySubsequences: false)
    guard fields.count >= 3 else { return }
    let path = fields.dropLast(2).joined(separator: "\t")
    self.path = path.isEmpty ? nil : path
    isSandboxed = fields[fields.count - 1] == "sandboxed"
    let numbers = fields[fields.count - 2].split(separator: ":")
    if numbers.count == 2, let inode = UInt64(numbers[0]), let birth = Int64(numbers[1]) {
      file = FileIdentity(inode: inode, birth: birth)
    }
  }
}
