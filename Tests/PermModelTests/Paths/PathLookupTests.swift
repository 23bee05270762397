import Glibc
import Testing

@testable import Machine

@Suite("The lookup of a path")
struct PathLookupTests {
  let here: ScratchFolder

  init() throws { here = try ScratchFolder() }

  // MARK: - Entries that exist

  @Test("A plain file is itself")
  func aPlainFileIsItself() throws {
    try here.file("a b@2x.png")
    let found = try PathLookup.find(here("a b@2x.png"))
    #expect(found.text == here("a b@2x.png"))
    #expect(!found.leadsElsewhere)
    #expect(found.entry == FileStatus(here("a b@2x.png")))
    #expect(found.entry?.kind == .file && found.entry?.links == 1)
  }

  @Test("A file with two names has two links")
  func aFileWithTwoNamesHasTwoLinks() throws {
    try here.file("a")
    link(here("a"), here("b"))
    #expect(try PathLookup.find(here("b")).entry?.links == 2)
    #expect(try PathLookup.find(here("b")).text == here("b"))
  }

  @Test("A folder and the root are folders")
  func aFolderAndTheRootAreFolders() throws {
    #expect(try PathLookup.find(here.path + "/").text == here.path)
    #expect(try PathLookup.find(here.path).entry?.kind == .folder)
    #expect(try PathLookup.find("/").text == "/")
    #expect(try PathLookup.find("/../..").text == "/")
  }

  @Test("A pipe is not opened")
  func aPipeIsNotOpened() throws {
    mkfifo(here("pipe"), 0o600)
    #expect(try PathLookup.find(here("pipe")).entry?.kind == .other)
  }

  @Test("Dots and repeated slashes make no difference")
  func dotsAndRepeatedSlashesAreNoDifference() throws {
    try here.folder("folder")
    try here.file("folder/file")
    let found = try PathLookup.find("/\(here.path)//./folder/../folder/.//file")
    #expect(found.text == here("folder/file"))
    #expect(!found.leadsElsewhere)
  }

  @Test("Bytes that are not UTF-8 are kept")
  func bytesThatAreNotUTF8AreKept() throws {
    let name = Array(here("caf").utf8) + [0xe9, 0x0a, 0xff]
    close(
      name.withUnsafeBufferPointer { bytes in
        bytes.withMemoryRebound(to: CChar.self) { creat(Array($0) + [0], 0o600) }
      })
    #expect(try PathLookup.find(name).path == name)
    #expect(try PathLookup.find(name + [0xfe]).path == name + [0xfe])
    #expect(throws: PathDoubt.notAPath) { try PathLookup.find(name + [0]) }
  }

  @Test("A name that looks like that of a removed file is a name")
  func aNameThatLooksRemovedIsNot() throws {
    try here.folder("folder (deleted)")
    #expect(try PathLookup.find(here("folder (deleted)/new")).text == here("folder (deleted)/new"))
  }

  @Test("A file system in memory is an ordinary one")
  func tmpfsIsOrdinary() throws {
    let memory = try ScratchFolder(under: "/dev/shm")
    #expect(try PathLookup.find(memory("new")).text == memory("new"))
    #expect(try PathLookup.find("/dev/null").entry?.kind == .characterDevice)
  }

  // MARK: - Links

  @Test("A link to a file leads elsewhere")
  func aLinkToAFileLeadsElsewhere() throws {
    try here.file("file")
    here.link("link", to: "file")
    let found = try PathLookup.find(here("link"))
    #expect(found.text == here("file"))
    #expect(found.spellingText == here("link"))
    #expect(found.leadsElsewhere)
    #expect(found.entry?.kind == .file)
  }

  @Test("A link to a folder leads out of the folder")
  func aLinkToAFolderLeadsOutOfTheFolder() throws {
    for folder in ["outside", "inside"] { try here.folder(folder) }
    try here.file("outside/file")
    here.link("inside/link", to: here("outside"))
    #expect(try PathLookup.find(here("inside/link")).text == here("outside"))
    #expect(try PathLookup.find(here("inside/link/file")).text == here("outside/file"))
    #expect(try PathLookup.find(here("inside/link/new")).text == here("outside/new"))
  }

  @Test("A chain of links is followed to its end")
  func aChainOfLinksIsFollowedToItsEnd() throws {
    try here.file("0")
    for number in 1...30 { here.link("\(number)", to: "\(number - 1)") }
    #expect(try PathLookup.find(here("30")).text == here("0"))
  }

  @Test("The parent is taken after links have been followed")
  func parentsAreTakenAfterLinks() throws {
    try here.folder("deep/below")
    try here.file("deep/file")
    try here.file("file")
    here.link("link", to: "deep/below")
    let found = try PathLookup.find(here("link/../file"))
    #expect(found.text == here("deep/file"))
    #expect(found.spellingText == here("file"))
  }

  @Test("A circle of links is a doubt")
  func aCircleOfLinksIsADoubt() {
    here.link("a", to: "b")
    here.link("b", to: "a")
    #expect(throws: PathDoubt.endlessLinks) { try PathLookup.find(here("a")) }
    #expect(throws: PathDoubt.endlessLinks) { try PathLookup.find(here("a/new")) }
  }

  @Test(
    "A dangling link is a doubt",
    arguments: ["dangling", "dangling/", "./dangling", "chain", "upwards", "absolute"])
  func aDanglingLinkIsADoubt(_ name: String) {
    here.link("dangling", to: "missing")
    here.link("chain", to: "dangling")
    here.link("upwards", to: "../missing")
    here.link("absolute", to: "/tmp/missing/of/resolver")
    #expect(throws: PathDoubt.danglingLink) { try PathLookup.find(here(name)) }
  }

  // MARK: - Entries that do not exist yet

  @Test("A new file is in its folder", arguments: ["new", "new/", "./new//", "folder/../new"])
  func aNewFileIsInItsFolder(_ name: String) throws {
    try here.folder("folder")
    let found = try PathLookup.find(here(name))
    #expect(found.text == here("new"))
    #expect(found.entry == nil)
    #expect(!found.leadsElsewhere)
  }

  @Test("A new file at the root has one slash")
  func aNewFileAtTheRootHasOneSlash() throws {
    #expect(try PathLookup.find("/new-file-of-resolver").text == "/new-file-of-resolver")
  }

  @Test(
    "A missing folder is a doubt if more than names follow it",
    arguments: ["missing/.", "missing/..", "missing/../new", "missing/./new", "missing/new/.."])
  func aMissingFolderIsADoubt(_ name: String) {
    #expect(throws: PathDoubt.missing) { try PathLookup.find(here(name)) }
  }

  @Test("Behind the last folder that exists, names are what they say, also behind a link")
  func newFoldersAreCertain() throws {
    try here.folder("outside")
    here.link("link", to: here("outside"))
    #expect(try PathLookup.find(here("missing/new")).text == here("missing/new"))
    #expect(try PathLookup.find(here("missing/a/b/new")).entry == nil)
    let found = try PathLookup.find(here("link/a//b/new"))
    #expect(found.text == here("outside/a/b/new"))
    #expect(found.spellingText == here("link/a/b/new"))
    #expect(try PathLookup.find(here("outside/../link/../missing/new")).text == here("missing/new"))
  }

  @Test("A new name behind a link to a missing folder is a doubt, and so is a very deep one")
  func newNamesThatAreDoubts() {
    here.link("dangling", to: "missing")
    #expect(throws: PathDoubt.danglingLink) { try PathLookup.find(here("dangling/new")) }
    let deep = Array(repeating: "d", count: 65).joined(separator: "/")
    #expect(throws: PathDoubt.missing) { try PathLookup.find(here(deep)) }
  }

  @Test("A file is no folder", arguments: ["file/", "file/new", "file/..", "file/."])
  func aFileIsNoFolder(_ name: String) throws {
    try here.file("file")
    #expect(throws: PathDoubt.notAFolder) { try PathLookup.find(here(name)) }
  }

  @Test("An empty path is none")
  func anEmptyPathIsNone() {
    #expect(throws: PathDoubt.notAPath) { try PathLookup.find("") }
  }

  @Test("Long names and paths are a doubt")
  func longNamesAndPathsAreADoubt() {
    let name = String(repeating: "n", count: 255)
    #expect(throws: Never.self) { try PathLookup.find(here(name)) }
    #expect(throws: PathDoubt.tooLong) { try PathLookup.find(here(name + "n")) }
    let slashes = String(repeating: "/", count: 4095 - here("new").utf8.count)
    #expect(throws: Never.self) { try PathLookup.find(slashes + here("new")) }
    #expect(throws: PathDoubt.tooLong) { try PathLookup.find(slashes + "/" + here("new")) }
    #expect(throws: PathDoubt.tooLong) { try PathLookup.find(String(repeating: "/a", count: 1 << 13)) }
  }

  // MARK: - Places that are in doubt

  @Test(
    "A path in /proc is a doubt",
    arguments: ["/proc/self/status", "/proc", "/proc/1/missing", "/proc/self/fd", "/proc/mounts"])
  func procIsADoubt(_ path: String) {
    #expect(throws: PathDoubt.inProc) { try PathLookup.find(path) }
  }

  @Test("Magic links are not followed", arguments: ["root", "root/etc/passwd", "cwd/new", "fd/0", "exe"])
  func magicLinksAreNotFollowed(_ name: String) {
    here.link("link", to: "/proc/self/\(name)")
    #expect(throws: PathDoubt.endlessLinks) { try PathLookup.find("/proc/\(ProcessHandle.own)/\(name)") }
    #expect(throws: PathDoubt.endlessLinks) { try PathLookup.find(here("link")) }
  }

  @Test("Other file systems are a doubt")
  func otherFileSystemsAreADoubt() {
    #expect(throws: PathDoubt.unknownFileSystem) { try PathLookup.find("/sys/kernel") }
  }

  @Test("A folder without permission is a doubt")
  func aFolderWithoutPermissionIsADoubt() async throws {
    try here.folder("closed")
    try here.file("closed/file")
    chmod(here("closed"), 0)
    let doubt = await BlockingThread.run { [here] in
      // Root can enter every folder, so this thread becomes somebody else. Its end undoes that.
      if geteuid() == 0 { _ = setfsuid(65534) }
      return Result { () throws(PathDoubt) in try PathLookup.find(here("closed/file")) }
    }
    #expect(doubt == .failure(.notPermitted))
    chmod(here("closed"), 0o700)
  }

  @Test("Every doubt has words")
  func everyDoubtHasWords() {
    let doubts: [PathDoubt] = [
      .processEnded, .otherMounts, .otherRoot, .notAPath, .tooLong, .missing, .notAFolder, .danglingLink,
      .endlessLinks, .moved, .inProc, .unknownFileSystem, .notPermitted, .tooSlow, .failed(EIO),
    ]
    #expect(Set(doubts.map(\.reason)).count == doubts.count)
    #expect(doubts.allSatisfy { !$0.reason.isEmpty })
  }
}

@_silgen_name("setfsuid") private func setfsuid(_ user: UInt32) -> Int32
