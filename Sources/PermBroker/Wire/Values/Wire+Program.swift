import PermModel

extension Wire {
  struct Program: Codable, Hashable, Sendable {
    var label: String
    var path: String?
    var inode: Int64?
    var born: Int64?
    var sandboxed: Bool
  }

  struct Evidence: Codable, Hashable, Sendable {
    var pid: Int32
    var started: Int64
    var program: String
    var interpreter: String?
    var chain: [String]
    var terminal: String?
    var folder: String?
    var sandboxed: Bool
    var doubt: String?
  }
}

extension Wire.Program {
  init(_ subject: Subject) {
    self.init(
      label: subject.label, path: subject.path, inode: subject.file.map { Int64(bitPattern: $0.inode) },
      born: subject.file?.birth, sandboxed: subject.isSandboxed)
  }

  var subject: Subject {
    var file: FileIdentity?
    if let inode, let born {
      file = FileIdentity(inode: UInt64(bitPattern: inode), birth: born)
    }
    return Subject(label: label, path: path, file: file, isSandboxed: sandboxed)
  }
}

extension Wire.Evidence {
  init(_ evidence: Evidence) {
    self.init(
      pid: evidence.process.pid, started: Int64(bitPattern: evidence.process.startTime),
      program: evidence.program, interpreter: evidence.interpreter, chain: evidence.chain,
      terminal: evidence.terminal, folder: evidence.workingDirectory, sandboxed: evidence.isSandboxed,
      doubt: evidence.doubt)
  }

  var evidence: Evidence {
    Evidence(
      process: ProcessIdentity(pid: pid, startTime: UInt64(bitPattern: started)), program: program,
      interpreter: interpreter, chain: chain, terminal: terminal, workingDirectory: folder,
      isSandboxed: sandboxed, doubt: doubt)
  }
}
