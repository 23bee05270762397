import Glibc
import Testing

@testable import Machine

@Suite("Paths of another process")
struct OtherProcessTests {
  let here: ScratchFolder

  init() throws { here = try ScratchFolder() }

  @Test("A relative path starts in the folder of the process")
  func aRelativePathStartsInTheFolderOfTheProcess() throws {
    try here.folder("folder")
    try here.file("folder/file")
    here.link("folder/link", to: here("folder"))
    let process = try #require(try IdleProcess.sleeping(in: here("folder")))
    for (spelled, path) in [
      "file": "folder/file", "./file": "folder/file", "../folder/file": "folder/file", "new": "folder/new",
      "../new": "new", "link/new": "folder/new",
    ] {
      #expect(try process.find(spelled).text == here(path))
      #expect(try process.find(spelled).leadsElsewhere == spelled.hasPrefix("link"))
    }
    #expect(try process.find(".").text == here("folder"))
    #expect(try process.find("../../../../../..").text == "/")
    #expect(try process.find("link/new").spellingText == here("folder/link/new"))
    #expect(try process.find(here("folder/file")).text == here("folder/file"))
  }

  @Test("A process in a linked folder is in the target of the link")
  func aProcessInALinkedFolderIsInItsTarget() throws {
    try here.folder("folder")
    here.link("link", to: "folder")
    let process = try #require(try IdleProcess.sleeping(in: here("link")))
    #expect(try process.find("new").text == here("folder/new"))
    #expect(try process.find("new").spellingText == here("folder/new"))
  }

  @Test("A deleted working folder is a doubt, even if another folder takes its name")
  func aDeletedFolderIsADoubt() throws {
    try here.folder("folder")
    let process = try #require(try IdleProcess.sleeping(in: here("folder")))
    rmdir(here("folder"))
    #expect(throws: PathDoubt.moved) { try process.find("new") }
    #expect(throws: PathDoubt.moved) { try process.find("../new") }
    #expect(try process.find(here("new")).text == here("new"))
    // Another folder takes the name that the kernel reports for the deleted one.
    try here.folder("folder (deleted)")
    #expect(throws: PathDoubt.moved) { try process.find("new") }
  }

  @Test("A folder that has moved is followed")
  func aFolderThatHasMovedIsFollowed() throws {
    try here.folder("old")
    let process = try #require(try IdleProcess.sleeping(in: here("old")))
    rename(here("old"), here("moved"))
    #expect(try process.find("new").text == here("moved/new"))
  }

  @Test("A process that has ended is a doubt")
  func aProcessThatHasEndedIsADoubt() throws {
    let process = try #require(try IdleProcess.sleeping(in: here.path))
    process.end()
    #expect(throws: PathDoubt.processEnded) { try process.find("new") }
    #expect(throws: PathDoubt.processEnded) { try process.find(here("new")) }
  }

  @Test("A process is seen as it is at each look, until it ends")
  func aProcessIsSeenAsItIsAtEachLook() throws {
    try here.folder("folder/inner")
    try here.file("folder/inner/file")
    let process = try #require(try IdleProcess.sleeping(in: here("folder")))
    let view = ProcessView(of: process.pid, startedAt: process.startTime)
    func find() throws(PathDoubt) -> ResolvedPath {
      try PathLookup.resolve(Array("inner/file".utf8), in: view)
    }
    #expect(try find().text == here("folder/inner/file"))
    rename(here("folder"), here("moved"))
    #expect(try find().text == here("moved/inner/file"))
    rename(here("moved/inner"), here("moved/other"))
    here.link("moved/inner", to: "other")
    #expect(try find().text == here("moved/other/file"))
    #expect(try find().spellingText == here("moved/inner/file"))
    process.end()
    #expect(throws: PathDoubt.processEnded) { try find() }
  }

  @Test("A later process with the same number is another one")
  func aLaterProcessWithTheSameNumberIsAnother() throws {
    let process = try #require(try IdleProcess.sleeping(in: here.path))
    #expect(throws: PathDoubt.processEnded) {
      let view = ProcessView(of: process.pid, startedAt: process.startTime - 1)
      return try PathLookup.resolve(Array("new".utf8), in: view)
    }
  }

  @Test(
    "A mount namespace of its own is a doubt",
    .enabled(if: try Separated.process(in: "/") != nil, "mount namespaces are not permitted here"))
  func otherMountsAreADoubt() throws {
    let process = try #require(try Separated.process(in: here.path))
    #expect(throws: PathDoubt.otherMounts) { try process.find("new") }
    #expect(throws: PathDoubt.otherMounts) { try process.find(here("new")) }
  }

  @Test(
    "A process that sees our root through another mount namespace sees our files",
    .enabled(if: try Separated.process(in: "/") != nil && geteuid() == 0, "only root can return to our root"))
  func ourRootInAnotherNamespace() throws {
    try here.file("file")
    here.link("link", to: "file")
    let script = #"""
      $| = 1; chdir "/proc/self/fd/9"; chroot "."; chdir $ARGV[0]; print "ready\n"; sleep 1000
      """#
    let process = try #require(
      try IdleProcess(
        ["/bin/sh", "-c", #"exec 9</; exec unshare -m perl -e "$0" "$1""#, script, here.path]))
    for spelled in ["file", here("file")] { #expect(try process.find(spelled).text == here("file")) }
    // Only a look at the namespace could tell where the links of any other path lead.
    for spelled in ["./file", here("link")] {
      #expect(throws: PathDoubt.otherMounts) { try process.find(spelled) }
    }
  }

  @Test(
    "A working folder that a mount covers is a doubt",
    .enabled(if: geteuid() == 0, "only root can mount"))
  func aCoveredFolderIsADoubt() throws {
    try here.folder("folder")
    try here.file("folder/file")
    let process = try #require(try IdleProcess.sleeping(in: here("folder")))
    #expect(try process.find("file").text == here("folder/file"))
    guard mount("none", here("folder"), "tmpfs", 0, nil) == 0 else { return }
    defer { umount2(here("folder"), Int32(MNT_DETACH)) }
    #expect(throws: PathDoubt.moved) { try process.find("file") }
    // A file of the same name on top of it is another one.
    try here.file("folder/file")
    #expect(throws: PathDoubt.moved) { try process.find("file") }
    #expect(try process.find(here("folder/file")).entry == FileStatus(here("folder/file")))
  }

  @Test(
    "A path that a process with another root names is seen from our root",
    .enabled(if: geteuid() == 0, "only root can change the root of a process"))
  func anotherRootIsSeenFromOurs() throws {
    for folder in ["jail/inner", "inner"] { try here.folder(folder) }
    try here.file("jail/inner/file")
    here.link("jail/link", to: "/inner/file")
    let process = try #require(
      try IdleProcess(
        [
          "/usr/bin/perl", "-e", #"$| = 1; chroot $ARGV[0]; chdir "/"; print "ready\n"; sleep 1000"#,
          here("jail"),
        ]))
    for spelled in ["/inner/file", "/../../inner/./file"] {
      #expect(try process.find(spelled).text == here("jail/inner/file"))
      #expect(try !process.find(spelled).leadsElsewhere)
    }
    #expect(try process.find("/link").text == here("jail/inner/file"))
    #expect(try process.find("/link").leadsElsewhere)
    #expect(try process.find(here("inner/new")).text == here("jail") + here("inner/new"))
    #expect(throws: PathDoubt.otherRoot) { try process.find("inner/file") }
  }
}

/// Processes in a mount namespace of their own.
private enum Separated {
  static func process(in folder: String) throws -> IdleProcess? {
    let options = geteuid() == 0 ? "-m" : "-rm"
    return try IdleProcess(
      ["/usr/bin/unshare", options, "/bin/sh", "-c", "echo ready; exec sleep 1000"], in: folder)
  }
}
