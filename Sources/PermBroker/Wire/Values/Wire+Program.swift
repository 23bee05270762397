import PermModel

extension Wire {
  struct Program: Codable, Hashable, Sendable {
    var label: String
    var path: String?
    var device: Int64?
    var inode: Int64?
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
      label: subject.label, path: subject.path, device: subject.file.map { Int64(bitPattern: $0.device) },
      inode: subject.file.map { Int64(bitPattern: $0.inode) }, sandboxed: subject.isSandboxed)
  }

  var subject: Subject {
    var file: FileIdentity?
    if let device, let inode {
      file = FileIdentity(device: UInt64(bitPattern: device), inode: UInt64(bitPattern: inode))
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
