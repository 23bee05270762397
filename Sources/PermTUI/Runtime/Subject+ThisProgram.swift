import Glibc
import PermModel

extension Subject {
  /// The program that this code runs in.
  static var thisProgram: Subject {
    let link = "/proc/self/exe"
    guard let resolved = realpath(link, nil) else { return Subject(label: "permtui") }
    defer { free(resolved) }
    var status = stat()
    let file =
      stat(link, &status) == 0
      ? FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)) : nil
    return Subject(label: "permtui", path: String(cString: resolved), file: file)
  }
}
