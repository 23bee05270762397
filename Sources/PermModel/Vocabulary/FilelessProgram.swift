/// A program without a file: code from a command line or a pipe, an orphan, or code that only a launcher runs.
///
/// Other code may run in the same interpreter, so a decision about it holds for this process only.
package struct FilelessProgram: Hashable, Sendable, Codable {
  /// The process; `nil` for every process with these parents, which is how such a program is muted.
  package var process: ProcessIdentity?
  /// A fingerprint of the user and the chain of programs that led to the process.
  package var parents: UInt64

  package init(process: ProcessIdentity?, parents: UInt64) {
    self.process = process
    self.parents = parents
  }
}

extension FilelessProgram: LosslessStringConvertible {
  /// The form in which the store keeps it: `process PID START PARENTS`, or `parents PARENTS`.
  package var description: String {
    process.map { "process \($0.pid) \($0.startTime) \(parents)" } ?? "parents \(parents)"
  }

  package init?(_ description: String) {
    let words = description.split(separator: " ")
    guard let parents = words.last.flatMap({ UInt64($0) }) else { return nil }
    switch (words.first, words.count) {
    case ("parents", 2): self.init(process: nil, parents: parents)
    case ("process", 4):
      guard let pid = Int32(words[1]), let start = UInt64(words[2]) else { return nil }
      self.init(process: ProcessIdentity(pid: pid, startTime: start), parents: parents)
    default: return nil
    }
  }
}

extension Subject {
  /// The subject under which the program is muted: its file, whatever its label, or else the programs that led to it.
  var muted: Subject {
    var muted = self
    muted.fileless?.process = nil
    return muted
  }
}
