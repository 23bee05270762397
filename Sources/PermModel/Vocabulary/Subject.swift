package import Machine

/// A program that asks, as the person knows it.
///
/// A subject has two sides. The label is the program's own name for itself, and proves nothing. The other side is the
/// evidence: the file that asked, or the process if its program has no file, and its sandbox. A decision belongs to
/// both together, so that another file that borrows a label has to ask again.
public struct Subject: Hashable, Sendable {
  /// The program's name for itself: at most 64 terminal cells, no control or bidirectional characters.
  public var label: String

  /// The file that was seen asking. `nil` for a decision made about a label before any program was seen under
  /// it: such a decision is *unbound*, and binds to the first program that asks.
  public var path: String?

  /// The identity of the file when it asked, so that a file put in its place has to ask again. `nil` if only root can
  /// replace the file: then the path is enough.
  package var file: FileIdentity?

  /// The process that asked, if the file behind it cannot be determined.
  package var fileless: FilelessProgram?

  /// The sandbox that it runs in: a mount namespace other than ours, in which the same path may be another file. Such a
  /// program is never the same as one outside, or in another sandbox.
  package var sandbox: Sandbox?

  /// Creates a subject from a label and, if it was seen, the path of its file.
  public init(label: String, path: String? = nil) { self.init(label: label, path: path, file: nil) }

  package init(
    label: String, path: String? = nil, file: FileIdentity?, fileless: FilelessProgram? = nil,
    sandbox: Sandbox? = nil
  ) {
    self.label = label
    self.path = path
    self.file = file
    self.fileless = fileless
    self.sandbox = sandbox
  }

  /// Whether it runs in a mount namespace other than ours.
  package var isSandboxed: Bool { sandbox != nil }

  /// Whether no program has been seen under this label yet.
  package var isUnbound: Bool { path == nil && fileless == nil && sandbox == nil }

  /// Whether an allow for its label alone holds for it. A program in a sandbox can pick any label, and a program that
  /// cannot be identified would use such an allow forever.
  package var takesUnboundAllows: Bool { fileless == nil && sandbox == nil }

  /// Whether a decision about `other` holds for this program, too.
  package func isSameProgram(as other: Subject) -> Bool {
    guard label == other.label, isSamePlace(as: other) else { return false }
    return file == other.file || (file == nil && path != nil)
  }

  /// Whether both were seen at the same path in the same surroundings, even as different files.
  package func isSamePlace(as other: Subject) -> Bool {
    path == other.path && sandbox == other.sandbox && fileless == other.fileless
  }
}

extension Subject: Codable {
  /// The key of earlier versions, which stored only that there was a sandbox.
  private enum EarlierKey: CodingKey { case isSandboxed }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    label = try values.decode(String.self, forKey: .label)
    path = try values.decodeIfPresent(String.self, forKey: .path)
    file = try values.decodeIfPresent(FileIdentity.self, forKey: .file)
    fileless = try values.decodeIfPresent(FilelessProgram.self, forKey: .fileless)
    sandbox = try values.decodeIfPresent(Sandbox.self, forKey: .sandbox)
    let earlier = try decoder.container(keyedBy: EarlierKey.self)
    let isSandboxed = try earlier.decodeIfPresent(Bool.self, forKey: .isSandboxed) ?? false
    if sandbox == nil, isSandboxed { sandbox = .unknown }
  }
}

/// A file, distinguished from any other that has or had the same path by its number and the moment it was made.
///
/// The number of its device is not part of it: on btrfs, overlays and removable disks it changes with each boot or
/// mount, and every program would have to ask again.
package struct FileIdentity: Hashable, Sendable, Codable {
  package var inode: UInt64
  /// When the file was made, in nanoseconds since 1970; 0 if the file system does not record it.
  package var birth: Int64

  package init(inode: UInt64, birth: Int64) {
    self.inode = inode
    self.birth = birth
  }
}

extension FileIdentity {
  /// Creates the identity of the file at a path, following links; `nil` if it cannot be examined.
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
  /// The subject that would be seen if the file at its path asked now; `nil` if there is none.
  package var withFileOfNow: Subject? {
    guard let path, sandbox == nil else { return self }
    guard let identity = FileIdentity(ofFileAt: path) else { return nil }
    var subject = self
    subject.file = ProtectedFile.isProtected(path) ? nil : identity
    return subject
  }
}

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

/// A mount namespace other than ours, distinguished from all others of this boot.
///
/// The kernel reuses the number of a namespace that is gone, so its outermost process is part of its identity. A
/// decision about a program in a sandbox ends with that process.
package struct Sandbox: Hashable, Sendable, Codable {
  package var namespace: UInt64
  /// The outermost process that was seen in it.
  package var process: ProcessIdentity

  package init(namespace: UInt64, process: ProcessIdentity) {
    self.namespace = namespace
    self.process = process
  }

  /// A sandbox about which nothing else is known. It has ended.
  package static let unknown = Sandbox(namespace: 0, process: ProcessIdentity(pid: 0, startTime: 0))
}

extension Sandbox: LosslessStringConvertible {
  /// The form in which the store keeps it: `sandboxed NAMESPACE PID START`, or `sandboxed` as earlier versions wrote.
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
