import Machine
import PermModel

extension Subject {
  /// The program that this code runs in.
  static var thisProgram: Subject {
    let link = "/proc/self/exe"
    guard let path = Paths.resolved(link) else { return Subject(label: "permtui") }
    let file = ProtectedFile.isProtected(path) ? nil : FileIdentity(ofFileAt: link)
    return Subject(label: "permtui", path: path, file: file)
  }
}
