import Glibc
import Machine
import PermModel

/// A machine made of a folder, which is all that probes see.
final class TestMachine: Sendable {
  let root: String
  let environment: ProbeEnvironment

  init() throws {
    var template = Array("/tmp/permtui-machine-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw TestMachineError.noFolder(errno) }
    root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    environment = ProbeEnvironment(root: root, home: "\(root)/home")
    makeFolder(environment.home)
  }

  deinit { Folder.removeTree(root) }

  /// Creates a folder and its parents.
  func makeFolder(_ path: String) {
    var made = ""
    for piece in path.split(separator: "/") {
      made += "/\(piece)"
      mkdir(made, 0o755)
    }
  }

  /// Writes a file, and creates its parent folders.
  func write(_ text: String = "", to path: String) {
    makeFolder(path.split(separator: "/").dropLast().map { "/\($0)" }.joined())
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    Glibc.write(descriptor, bytes, bytes.count)
  }

  func remove(_ path: String) { Folder.removeTree(path) }
}

enum TestMachineError: Error { case noFolder(Int32) }
