package import Machine

/// A program that asks, as the person sees it.
///
/// A subject consists of a label and evidence. The label is the name that the program gives itself, and
/// proves nothing. The evidence is the file that asked (or the process, if its program has no file), together
/// with the sandbox in which the program runs, if any. A decision applies to the label and the evidence
/// together. Therefore, another file that uses the same label has to ask again.
public struct Subject: Hashable, Sendable {
  /// The name that the program gives itself: at most 64 terminal cells wide, without control or bidirectional
  /// characters.
  public var label: String

  /// The path of the file that asked. It is `nil` for a program without a file, and for the subject of a decision that
  /// was made about a label before any program was seen under that label. Such a decision is *unbound*: an allow
  /// decision is bound to the first program that uses it, and a deny decision applies to every program with the label.
  public var path: String?

  /// The identity that the file had when it asked. Another file put in the same place has to ask again. This property
  /// is `nil` if only root can replace the file, because the path is then sufficient.
  package var file: FileIdentity?

  /// The process that asked, if its program's file cannot be determined.
  package var fileless: FilelessProgram?

  /// The sandbox in which the program runs: a mount namespace other than ours, in which the same path can refer
  /// to another file. A program in a sandbox is never the same as a program outside it or in another sandbox.
  package var sandbox: Sandbox?

  /// The folder in which an agent's process began; `nil` for a program whose decisions apply in every folder.
  package var folder: ProgramFolder?

  /// Creates a subject from a label and, if a file was seen asking, the path of that file.
  public init(label: String, path: String? = nil) { self.init(label: label, path: path, file: nil) }

  package init(
    label: String, path: String? = nil, file: FileIdentity?, fileless: FilelessProgram? = nil,
    sandbox: Sandbox? = nil, folder: ProgramFolder? = nil
  ) {
    self.label = label
    self.path = path
    self.file = file
    self.fileless = fileless
    self.sandbox = sandbox
    self.folder = folder
  }

  /// Whether the program runs in a mount namespace other than ours.
  package var isSandboxed: Bool { sandbox != nil }

  /// Whether no program has been seen under this label yet.
  package var isUnbound: Bool { path == nil && fileless == nil && sandbox == nil }

  /// Whether an allow decision for the label alone applies to this program. It does not apply to a program in a
  /// sandbox, because such a program can choose any label. Nor does it apply to a program that cannot be
  /// identified, because the decision could not be bound to that program and would stay usable forever.
  package var takesUnboundAllows: Bool { fileless == nil && sandbox == nil }

  /// Whether a decision about `other` also applies to this program.
  package func isSameProgram(as other: Subject) -> Bool {
    guard label == other.label, isSamePlace(as: other), folder == other.folder else { return false }
    return file == other.file || (file == nil && path != nil)
  }

  /// Whether both subjects have the same path, sandbox, fileless program and path of the folder, even if their files or
  /// folders were replaced.
  package func isSamePlace(as other: Subject) -> Bool {
    isSamePlaceAnywhere(as: other) && folder?.path == other.folder?.path
  }

  /// Whether both subjects have the same path, sandbox and fileless program, in whatever folder they work.
  package func isSamePlaceAnywhere(as other: Subject) -> Bool {
    path == other.path && sandbox == other.sandbox && fileless == other.fileless
  }

  /// The same program without a folder. Denials for it apply in every folder.
  package var inAnyFolder: Subject {
    var subject = self
    subject.folder = nil
    return subject
  }
}

extension Subject {
  /// The subject of decisions that apply to every program. Such a decision can only be a denial. No program can have
  /// this path, because the path of a file begins with a slash.
  package static let everyone = Subject(label: "everyone", path: "*")

  package var isEveryone: Bool { self == .everyone }
}

extension Subject: Codable {
  /// The key that earlier versions used. They stored only whether there was a sandbox.
  private enum EarlierKey: CodingKey { case isSandboxed }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    label = try values.decode(String.self, forKey: .label)
    path = try values.decodeIfPresent(String.self, forKey: .path)
    file = try values.decodeIfPresent(FileIdentity.self, forKey: .file)
    fileless = try values.decodeIfPresent(FilelessProgram.self, forKey: .fileless)
    sandbox = try values.decodeIfPresent(Sandbox.self, forKey: .sandbox)
    folder = try values.decodeIfPresent(ProgramFolder.self, forKey: .folder)
    let earlier = try decoder.container(keyedBy: EarlierKey.self)
    let isSandboxed = try earlier.decodeIfPresent(Bool.self, forKey: .isSandboxed) ?? false
    if sandbox == nil, isSandboxed { sandbox = .unknown }
  }
}

/// The identity of a file: its inode number and the time of its creation. Together they distinguish the file
/// from any other file that has or had the same path.
///
/// The number of the device is not part of the identity. On btrfs, overlays and removable disks, that number
/// changes with each boot or mount, and every program would then have to ask again.
package struct FileIdentity: Hashable, Sendable, Codable {
  package var inode: UInt64
  /// The time at which the file was created, in nanoseconds since 1970; 0 if the file system does not record it.
  package var birth: Int64

  package init(inode: UInt64, birth: Int64) {
    self.inode = inode
    self.birth = birth
  }
}

extension FileIdentity {
  /// Creates the identity of the file at a path, following links; `nil` if the file cannot be examined.
  package init?(ofFileAt path: String) {
    guard let birth = FileBirth(ofFileAt: path) else { return nil }
    self.init(birth)
  }

  package init?(of descriptor: Int32) {
    guard let birth = FileBirth(of: descriptor) else { return nil }
    self.init(birth)
  }

  package init(_ birth: FileBirth) { self.init(inode: birth.inode, birth: birth.moment) }
}

extension Subject: CustomStringConvertible {
  public var description: String { label }
}

extension Subject {
  /// The subject as it would be seen if the file at its path asked now; `nil` if there is no such file. A
  /// subject that has no path of a file or runs in a sandbox is returned unchanged.
  package var withFileOfNow: Subject? {
    guard let path, sandbox == nil, path.hasPrefix("/") else { return self }
    guard let identity = FileIdentity(ofFileAt: path) else { return nil }
    var subject = self
    subject.file = ProtectedFile.isProtected(path) ? nil : identity
    subject.folder = folder.map { ProgramFolder(at: $0.path) ?? $0 }
    return subject
  }
}

/// A program whose file cannot be determined, for example code from a command line or a pipe, or a process
/// whose parent is gone.
///
/// A decision about such a program applies only to the process that asked, because the same interpreter can run
/// different code in another process.
package struct FilelessProgram: Hashable, Sendable, Codable {
  /// The process; `nil` stands for all processes with the same ``parents``, and is used to mute them.
  package var process: ProcessIdentity?
  /// A fingerprint of the user and the chain of programs that led to the process.
  package var parents: UInt64

  package init(process: ProcessIdentity?, parents: UInt64) {
    self.process = process
    self.parents = parents
  }
}

extension FilelessProgram: LosslessStringConvertible {
  /// The form in which the store keeps the program: `process PID START PARENTS`, or `parents PARENTS`.
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
  /// The subject under which the program is muted. A program with a file is muted by that file, whatever its
  /// label. A program without a file is muted by the programs that led to its process.
  package var muted: Subject {
    var muted = self
    muted.fileless?.process = nil
    return muted
  }
}

/// The identity of a mount namespace other than ours. It distinguishes the namespace from all others since
/// the machine was booted.
///
/// The kernel reuses the number of a namespace that is gone. Therefore, the namespace's outermost process is
/// part of the identity. A decision about a program in a sandbox ends when that process ends.
package struct Sandbox: Hashable, Sendable, Codable {
  package var namespace: UInt64
  /// The outermost process that was seen in the namespace.
  package var process: ProcessIdentity

  package init(namespace: UInt64, process: ProcessIdentity) {
    self.namespace = namespace
    self.process = process
  }

  /// A sandbox whose identity is not known. It is regarded as ended.
  package static let unknown = Sandbox(namespace: 0, process: ProcessIdentity(pid: 0, startTime: 0))
}

extension Sandbox: LosslessStringConvertible {
  /// The form in which the store keeps the sandbox: `sandboxed NAMESPACE PID START`, or only `sandboxed`, as
  /// earlier versions wrote it.
  package var description: String {
    self == .unknown ? "sandboxed" : "sandboxed \(namespace) \(process.pid) \(process.startTime)"
  }

  package init?(_ description: String) {
    let words = description.split(separator: " ")
    guard words.first == "sandboxed" else { return nil }
    guard words.count == 4, let namespace = UInt64(words[1]), let pid = Int32(words[2]),
      let start = UInt64(words[3])
    else {
      self = .unknown
      return
    }
    self.init(namespace: namespace, process: ProcessIdentity(pid: pid, startTime: start))
  }
}
