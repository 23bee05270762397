import Glibc
import PermModel

extension Subject {
  /// The program that this code runs in.
  static var thisProgram: Subject {
    let link = "/proc/self/exe"
    guard let resolved = realpath(link, nil) else { return Subject(label: "permtui") }
    defer { free(resolved) }
    let path = String(cString: resolved)
    let file = ProtectedFile.isProtected(path) ? nil : FileIdentity(ofFileAt: link)
    return Subject(label: "permtui", path: path, file: file)
  }
}
