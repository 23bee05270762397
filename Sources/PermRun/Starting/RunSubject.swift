import Machine
import PermModel

/// The program in whose name everything behind the walls is asked.
enum RunSubject {
  /// - Parameters:
  ///   - name: The program as it was named.
  ///   - label: The name under which it asks; `nil` for the name of its file.
  ///   - path: The folders in which programs are looked for, as in `PATH`.
  static func of(_ name: String, label: String?, searching path: String) -> Subject {
    let file = file(name, path)
    let label = label ?? name.lastPathPart
    guard let file, let bytes = Paths.resolved(Array(file.utf8)) else {
      return Subject(label: label, path: nil)
    }
    let real = String(decoding: bytes, as: UTF8.self)
    // As everywhere, a file that only root can write may be replaced by an update.
    let subject = Subject(label: label, path: real)
    return subject.withFileOfNow ?? subject
  }

  private static func file(_ name: String, _ path: String) -> String? {
    if name.contains("/") { return Paths.absolute(name) }
    return path.split(separator: ":").map { "\($0)/\(name)" }.first { FileStatus($0)?.kind == .file }
  }
}
