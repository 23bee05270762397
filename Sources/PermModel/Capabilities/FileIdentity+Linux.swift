import CLinux
import Glibc

extension FileIdentity {
  /// The file at a path, links followed; `nil` if it cannot be looked at.
  package init?(ofFileAt path: String) { self.init(AT_FDCWD, path) }

  /// The file behind a descriptor.
  package init?(of descriptor: Int32) { self.init(descriptor, "") }

  private init?(_ folder: Int32, _ path: String) {
    var inode: UInt64 = 0
    var birth: Int64 = 0
    guard identity_of_file(folder, path, &inode, &birth) == 0 else { return nil }
    self.init(inode: inode, birth: birth)
  }
}
