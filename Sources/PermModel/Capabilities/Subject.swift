/// Who asks: a program, as the person knows it.
///
/// A subject has two sides. The label is what the program calls itself, and proves nothing. The path is the file
/// that was seen asking. A decision belongs to both together, so that another file that borrows a label asks
/// again.
public struct Subject: Hashable, Sendable, Codable {
  /// What the program calls itself: at most 64 terminal cells, no control or bidirectional characters.
  public var label: String

  /// The file that was seen asking. `nil` for a decision made about a label before any program was seen under
  /// it: such a decision is *unbound*, and binds to the first program that asks.
  public var path: String?

  /// Which file that path was when it asked, so that a file put in its place asks again.
  public var file: FileIdentity?

  /// Whether it runs in a mount namespace that is not ours, where the same path may be another file. Such a
  /// program is never the same as one outside.
  public var isSandboxed: Bool

  /// Names a program by its label and, where it was seen, its file.
  public init(label: String, path: String? = nil, file: FileIdentity? = nil, isSandboxed: Bool = false) {
    self.label = label
    self.path = path
    self.file = file
    self.isSandboxed = isSandboxed
  }

  /// Whether no file has been seen under this label yet.
  public var isUnbound: Bool { path == nil }
}

/// A file, told apart from any other that has or had the same path: by its number and the moment at which it was made.
///
/// The number of its device is no part of it: on btrfs, overlays and removable disks that is another one after each boot
/// or mount, and every program would ask again.
public struct FileIdentity: Hashable, Sendable, Codable {
  public var inode: UInt64
  /// When the file was made, in nanoseconds since 1970; 0 where the file system keeps no such moment.
  public var birth: Int64

  public init(inode: UInt64, birth: Int64) {
    self.inode = inode
    self.birth = birth
  }
}

extension Subject: CustomStringConvertible {
  public var description: String { label }
}
