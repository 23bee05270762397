import Glibc
import PermModel

extension Subject {
  /// The program that this code runs in.
  static var thisProgram: Subject {
    let link = "/proc/self/exe"
    guard let resolved = realpath(link, nil) else { return Subject(label: "permtui") }
    defer { free(resolved) }
    return Subject(label: "permtui", path: String(cString: resolved), file: FileIdentity(ofFileAt: link))
  }
}
