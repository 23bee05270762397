import Machine
import PermModel

/// The file systems for which another program or another machine answers. Each use of them can hang, so they are known by
/// their mounts, and never touched.
struct AnsweringFileSystems: Sendable {
  /// The kinds of these file systems, by the folders where they are mounted.
  let kinds: [AbsolutePath: String]
  /// The last names of the folders, so that most names need no further look.
  private let lastNames: Set<[UInt8]>

  /// - Parameter mounts: The mounts as the kernel lists them in `/proc/self/mountinfo`.
  init(mounts: String) {
    var kinds: [AbsolutePath: String] = [:]
    for line in mounts.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard let bar = words.firstIndex(of: "-"), bar + 1 < words.count, words.count > 4,
        let path = try? AbsolutePath(Self.unescaped(words[4]))
      else { continue }
      // Of several file systems on one folder, the last one counts.
      kinds[path] = Self.answers(words[bar + 1]) ? String(words[bar + 1]) : nil
    }
    self.kinds = kinds
    lastNames = Set(kinds.keys.map(\.lastName))
  }

  /// Whether such a file system could be mounted on a name in some folder.
  func mayContain(_ name: [UInt8]) -> Bool { lastNames.contains(name) }

  private static func answers(_ kind: Substring) -> Bool {
    let first = kind.prefix { $0 != "." }
    return [
      "9p", "afs", "autofs", "beegfs", "ceph", "cifs", "coda", "fuse", "fuseblk", "gfs2", "glusterfs",
      "lustre", "nfs",
      "nfs4", "ocfs2", "orangefs", "smb2", "smb3", "smbfs", "virtiofs",
    ].contains(first)
  }

  /// Blanks and the like are written as a backslash with three octal digits.
  private static func unescaped(_ word: Substring) -> [UInt8] {
    var rest = Array(word.utf8)[...]
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == 0x5c, digits.count == 3, let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        bytes.append(code)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }

  static var current: AnsweringFileSystems {
    AnsweringFileSystems(mounts: Files.text(of: "/proc/self/mountinfo", limit: 1 << 24) ?? "")
  }

  /// The kind of the file system in which a path lies; `nil` if no other program answers for it.
  func kind(of path: AbsolutePath) -> String? {
    ([path] + path.parents).lazy.compactMap { kinds[$0] }.first
  }
}
