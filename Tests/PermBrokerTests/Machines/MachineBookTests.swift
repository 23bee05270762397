import Foundation
import Machine
import PermModel
import Testing

@testable import PermBroker

@Suite("The machines that were added")
struct MachineBookTests {
  private let folder =
    FileManager.default.temporaryDirectory.path(percentEncoded: false) + "/book-\(RandomID.make())"
  private let ids = ["0", "1"].map { String(repeating: $0, count: 32) }
  private let key = HostKeys.Key(
    type: "ssh-ed25519", base64: "AAAAC3NzaC1lZDI1NTE5AAAAIBH1Y0aJzRrNu0nMzYGD6m1ThhtYGoN3ufgPIgCLVtEY")

  private func pinned(_ id: String, to name: String) throws {
    try MachineBook.change(inFolder: folder) {
      try $0.pin(id, [key], to: RemoteName(name), at: Timestamp(seconds: 7))
    }
  }

  @Test("A machine that was added is there again, in private files, and can be forgotten")
  func kept() throws {
    defer { Folder.removeTree(folder) }
    #expect(try MachineBook.read(inFolder: folder) == MachineBook())
    try pinned(ids[0], to: "web1")
    try pinned(ids[1], to: "db")
    try pinned(ids[0], to: "web1")
    let book = try MachineBook.read(inFolder: folder)
    #expect(try book.id(of: RemoteName("web1")) == ids[0])
    #expect(try book.keys[RemoteName("db")] == [key])
    for file in ["machines", "machines.hosts"] {
      #expect(FileStatus("\(folder)/\(file)")?.mode == 0o600)
    }
    #expect(try MachineBook.change(inFolder: folder) { $0.forget(try RemoteName("web1")) })
    #expect(try MachineBook.read(inFolder: folder).id(of: RemoteName("web1")) == nil)
    #expect(try MachineBook.read(inFolder: folder).id(of: RemoteName("db")) == ids[1])
    #expect(Files.text(of: "\(folder)/machines.hosts") == "permtui-db \(key.type) \(key.base64)\n")
  }

  @Test("Two names with one id are refused, and nothing is changed")
  func twice() throws {
    defer { Folder.removeTree(folder) }
    try pinned(ids[0], to: "web1")
    #expect(throws: MachineFault.sameAs("web1")) { try pinned(ids[0], to: "web2") }
    #expect(try MachineBook.read(inFolder: folder).id(of: RemoteName("web2")) == nil)
    #expect(try MachineBook.read(inFolder: folder).keys[RemoteName("web2")].isEmpty)
  }

  @Test(
    "A damaged file is an error, so that no machine seems to be a new one",
    arguments: [
      ("web1\n", 1), ("web1 0 7\n", 1), ("This 00000000000000000000000000000000 7\n", 1),
      ("web1 00000000000000000000000000000000 7\ndb 00000000000000000000000000000000 8\n", 2),
      ("web1 00000000000000000000000000000000 7\nweb1 11111111111111111111111111111111 8\n", 2),
      ("web1 00000000000000000000000000000000 soon\n", 1),
    ])
  func damaged(_ text: String, _ line: Int) throws {
    defer { Folder.removeTree(folder) }
    try Folder.make(folder)
    try Files.make("\(folder)/machines", text.utf8)
    #expect(throws: MachineBook.Problem.damaged("\(folder)/machines", line: line)) {
      try MachineBook.read(inFolder: folder)
    }
    #expect(throws: MachineBook.Problem.self) { try pinned(ids[1], to: "db") }
    #expect(Files.text(of: "\(folder)/machines") == text)
  }

  @Test(
    "A file that others can write to, and a link, are not read", arguments: ["machines", "machines.hosts"])
  func notPrivate(_ name: String) throws {
    defer { Folder.removeTree(folder) }
    try Folder.make(folder)
    let file = "\(folder)/\(name)"
    try Files.make(file)
    try Files.setMode(file, 0o622)
    #expect(throws: MachineBook.Problem.notPrivate(file)) { try MachineBook.read(inFolder: folder) }
    Files.remove(file)
    try Files.makeLink(file, to: "/dev/null")
    #expect(throws: MachineBook.Problem.notPrivate(file)) { try MachineBook.read(inFolder: folder) }
  }

  @Test("A key's fingerprint is the one that ssh-keygen prints")
  func fingerprint() throws {
    #expect(key.shortType == "ed25519")
    #expect(key.fingerprint == "SHA256:67JbudZV7upMnqAthrk1tIAr6wTzn3Z5FFoYlIGP02g")
    #expect(HostKeys("# a comment\npermtui-a ssh-ed25519\n\npermtui-a x !!!\n") == HostKeys())
  }
}
