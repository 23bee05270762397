import Foundation

@testable import PermBroker
@testable import PermModel

/// A folder with files and links that programs ask for.
final class PathPlace: Sendable {
  let folder: TemporaryFolder
  var path: String { folder.path }

  init() throws { folder = try TemporaryFolder() }

  func file(_ name: String) throws { try folder.write("text", to: name) }
  func folder(_ name: String) throws { _ = try folder.makeFolder(name) }
  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: folder.file(name)) }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.file(name), withDestinationPath: folder.file(target))
  }

  func hardLink(_ name: String, to target: String) throws {
    try FileManager.default.linkItem(atPath: folder.file(target), toPath: folder.file(name))
  }

  /// Lets a link lead to another file, in one step.
  func swap(_ name: String, to target: String) throws {
    try link("\(name).new", to: target)
    guard rename(folder.file("\(name).new"), folder.file(name)) == 0 else { throw POSIXError(.EIO) }
  }

  func path(_ name: String) -> AbsolutePath {
    (try? AbsolutePath(folder.file(name))) ?? .root
  }

  func scope(_ name: String) -> Scope { .path(path(name)) }
  func read(_ name: String) -> Atom { Atom("files", "read", scope(name)) }

  /// Decides about reading a file, for the program that tests see or for everyone.
  func decide(
    _ verdict: Verdict, _ name: String, everyone: Bool = false, in store: any PermissionStore
  ) throws {
    let subject = TestBroker.program("/home/ana/bin/backup.sh").subject(label: "backup")
    try store.decide(
      Ruling(verdict, subject: everyone ? .everyone : subject, atoms: [read(name)]), by: .commandLine)
  }

  static func parameters(
    _ spelled: String, isFolder: Bool = false, id: String? = nil
  ) -> Methods.Request.Parameters {
    var fields = ScopeFields(.any)
    if isFolder { fields.folder = spelled } else { fields.path = spelled }
    return .init(
      id: id, capability: "files", values: [Wire.Value(part: "read", scope: fields)], label: "backup")
  }
}
