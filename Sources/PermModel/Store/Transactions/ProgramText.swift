extension Subject {
  /// The seen side of a program as one text, by which stores compare and sort: empty for a label alone, else
  /// path, file and sandbox, each after a tab.
  var programText: String {
    guard path != nil || file != nil || isSandboxed else { return "" }
    let file = file.map { "\($0.device):\($0.inode)" } ?? ""
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
    let numbers = fields[fields.count - 2].split(separator: ":").compactMap { UInt64($0) }
    if numbers.count == 2 { file = FileIdentity(device: numbers[0], inode: numbers[1]) }
  }
}
