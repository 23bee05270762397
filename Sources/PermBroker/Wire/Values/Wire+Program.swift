import PermModel

extension Wire {
  struct Program: Codable, Hashable, Sendable {
    var label: String
    var path: String?
    var inode: Int64?
    var born: Int64?
    var fileless: Fileless?
    var sandbox: Sandbox?
    var folder: Folder?
  }

  /// The folder in which an agent's process began.
  struct Folder: Codable, Hashable, Sendable {
    var path: String
    var device: Int64
    var inode: Int64
  }

  struct Fileless: Codable, Hashable, Sendable {
    var pid: Int32?
    var started: Int64?
    var parents: Int64
  }

  struct Sandbox: Codable, Hashable, Sendable {
    var namespace: Int64
    var pid: Int32
    var started: Int64
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
    var unreadable: Bool
    var walled: Walled?
  }

  /// A process behind walls.
  struct Walled: Codable, Hashable, Sendable {
    var name: String
    var pid: Int32
    var started: Int64
    var left: Bool?
    var native: Bool?
  }
}

extension Wire.Program {
  init(_ subject: Subject) {
    self.init(
      label: subject.label, path: subject.path, inode: subject.file.map { Int64(bitPattern: $0.inode) },
      born: subject.file?.birth, fileless: subject.fileless.map(Wire.Fileless.init),
      sandbox: subject.sandbox.map(Wire.Sandbox.init), folder: subject.folder.map(Wire.Folder.init))
  }

  var subject: Subject {
    var file: FileIdentity?
    if let inode, let born { file = FileIdentity(inode: UInt64(bitPattern: inode), birth: born) }
    return Subject(
      label: label, path: path, file: file, fileless: fileless?.program, sandbox: sandbox?.sandbox,
      folder: folder?.folder)
  }
}

extension Wire.Folder {
  init(_ folder: ProgramFolder) {
    self.init(
      path: folder.path, device: Int64(bitPattern: folder.device), inode: Int64(bitPattern: folder.inode))
  }

  var folder: ProgramFolder {
    ProgramFolder(path: path, device: UInt64(bitPattern: device), inode: UInt64(bitPattern: inode))
  }
}

extension Wire.Fileless {
  init(_ program: FilelessProgram) {
    self.init(
      pid: program.process?.pid, started: program.process.map { Int64(bitPattern: $0.startTime) },
      parents: Int64(bitPattern: program.parents))
  }

  var program: FilelessProgram {
    var process: ProcessIdentity?
    if let pid, let started { process = ProcessIdentity(pid: pid, startTime: UInt64(bitPattern: started)) }
    return FilelessProgram(process: process, parents: UInt64(bitPattern: parents))
  }
}

extension Wire.Sandbox {
  init(_ sandbox: Sandbox) {
    self.init(
      namespace: Int64(bitPattern: sandbox.namespace), pid: sandbox.process.pid,
      started: Int64(bitPattern: sandbox.process.startTime))
  }

  var sandbox: Sandbox {
    Sandbox(
      namespace: UInt64(bitPattern: namespace),
      process: ProcessIdentity(pid: pid, startTime: UInt64(bitPattern: started)))
  }
}

extension Wire.Evidence {
  init(_ evidence: Evidence) {
    self.init(
      pid: evidence.process.pid, started: Int64(bitPattern: evidence.process.startTime),
      program: evidence.program, interpreter: evidence.interpreter, chain: evidence.chain,
      terminal: evidence.terminal, folder: evidence.workingDirectory, sandboxed: evidence.isSandboxed,
      doubt: evidence.doubt, unreadable: evidence.isUnreadable, walled: evidence.walled.map(Wire.Walled.init))
  }

  var evidence: Evidence {
    Evidence(
      process: ProcessIdentity(pid: pid, startTime: UInt64(bitPattern: started)), program: program,
      interpreter: interpreter, chain: chain, terminal: terminal, workingDirectory: folder,
      isSandboxed: sandboxed, doubt: doubt, isUnreadable: unreadable, walled: walled?.walled)
  }
}

extension Wire.Walled {
  init(_ walled: WalledProcess) {
    self.init(
      name: walled.name, pid: walled.process.pid, started: Int64(bitPattern: walled.process.startTime),
      left: walled.hasLeft ? true : nil, native: walled.hasNativeFolder ? true : nil)
  }

  var walled: WalledProcess {
    WalledProcess(
      name: name, process: ProcessIdentity(pid: pid, startTime: UInt64(bitPattern: started)),
      hasLeft: left ?? false, hasNativeFolder: native ?? false)
  }
}
