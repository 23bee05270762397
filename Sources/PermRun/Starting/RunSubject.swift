import Machine
import PermModel

/// The program in whose name everything behind the walls is asked, if no broker says which one it is.
enum RunSubject {
  /// - Parameters:
  ///   - name: The program as it was named.
  ///   - path: The path of its file; `nil` if there is none.
  ///   - label: The name under which it asks; `nil` for the name of its file.
  static func of(_ name: String, at path: String?, label: String?) -> Subject {
    let label = label ?? name.lastPathPart
    guard let path, let bytes = Paths.resolved(Array(path.utf8)) else {
      return Subject(label: label, path: nil)
    }
    let real = String(decoding: bytes, as: UTF8.self)
    // As everywhere, a file that only root can write may be replaced by an update.
    let subject = Subject(label: label, path: real)
    return subject.withFileOfNow ?? subject
  }

  /// Returns the absolute path of a program's file; `nil` if there is none.
  ///
  /// - Parameter folders: The folders in which programs are looked for, as in `PATH`.
  static func path(of name: String, searching folders: String) -> String? {
    let names = name.contains("/") ? [name] : folders.split(separator: ":").map { "\($0)/\(name)" }
    return names.map { Paths.absolute($0) }.first { FileStatus($0)?.kind == .file }
  }
}
