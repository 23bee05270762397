import Foundation
import Machine
import Testing

@Suite("Removing a folder")
struct FolderTests {
  private let folder: String

  init() throws { folder = try Folder.makeTemporary(named: "permtui-folder") }

  @Test("removes all that is in it, and nothing that its links lead to")
  func links() throws {
    let files = FileManager.default
    defer { try? files.removeItem(atPath: folder) }
    for name in ["kept/below", "removed/a/b", "empty"] { try Folder.make("\(folder)/\(name)") }
    for name in ["kept/below/file", "removed/file", "removed/a/b/file"] {
      try Files.make("\(folder)/\(name)")
    }
    for name in ["removed/link", "removed/a/link", "link"] {
      try files.createSymbolicLink(atPath: "\(folder)/\(name)", withDestinationPath: "\(folder)/kept")
    }
    try files.createSymbolicLink(atPath: "\(folder)/removed/dangling", withDestinationPath: "nowhere")
    for name in ["removed", "link", "empty", "missing"] { Folder.removeTree("\(folder)/\(name)") }
    #expect(Folder.names(in: folder) == ["kept"])
    #expect(files.fileExists(atPath: "\(folder)/kept/below/file"))
  }
}
