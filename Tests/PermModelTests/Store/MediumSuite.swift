import Foundation
import Machine
import PermModelTesting
import Testing

@testable import PermModel

/// A separate file system, mounted below a test's folder. Needs root, or a container that permits mounting.
private final class Mount {
  let path: String

  init(_ options: String) throws {
    path = FileManager.default.temporaryDirectory.path + "/permtui-mount-" + RandomID.make()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    guard mount("tmpfs", path, "tmpfs", 0, options) == 0 else { throw POSIXError(.EPERM) }
  }

  /// Mounts it with other flags. A process that another test is just starting shares the open files of this one until it
  /// runs its program, and as long as one of them can be written to, the kernel refuses.
  func remount(_ flags: UInt) -> Bool {
    for _ in 0..<1_000_000 {
      if mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT) | flags, nil) == 0 { return true }
      guard errno == EBUSY else { return false }
      sched_yield()
    }
    return false
  }

  /// Fills the remaining space.
  func fill() throws {
    let filler = try FileHandle(forWritingTo: makeFile("filler"))
    while (try? filler.write(contentsOf: Data(count: 4_096))) != nil {}
    try filler.close()
  }

  /// Returns the content of a store on it and of the store's log. An empty log counts as none.
  func content() -> [Data] {
    ["", "-wal"].map { (try? Data(contentsOf: URL(filePath: path + "/permissions.sqlite" + $0))) ?? Data() }
  }

  private func makeFile(_ name: String) -> URL {
    _ = FileManager.default.createFile(atPath: path + "/" + name, contents: nil)
    return URL(filePath: path + "/" + name)
  }

  deinit {
    umount2(path, Int32(MNT_DETACH))
    rmdir(path)
  }

  static let isPermitted: Bool = (try? Mount("size=64k")) != nil
}

private let isRoot = geteuid() == 0

@Suite("The medium and its owner")
struct MediumTests {
  private let world = FixedEnvironment()

  private func open(_ path: String) throws -> SQLiteStore {
    try SQLiteStore(path: path, environment: world.environment)
  }

  @Test(
    "On a full disk an answer fails, and all that was told as saved is there",
    .enabled(if: Mount.isPermitted, "mounting a small file system is not permitted here"))
  func full() throws {
    let disk = try Mount("size=2m,mode=700")
    let path = disk.path + "/store/permissions.sqlite"
    var kept: [Decision] = []
    let store = try open(path)
    let error = #expect(throws: StoreError.self) {
      for number in 0..<5_000 {
        let ruling = Ruling(.allow, subject: Subject(label: "program \(number)"), atoms: [photos])
        kept += try store.decide(ruling, by: here)
      }
    }
    #expect(error == .diskFull(path: path))
    #expect(kept.count > 20)
    #expect(Set(try store.decisions()) == Set(kept))
    #expect(Set(try open(path).decisions()) == Set(kept))
  }

  @Test(
    "On a full disk all can be read, what only the log holds too, and no byte changes",
    .enabled(if: Mount.isPermitted, "mounting a small file system is not permitted here"),
    arguments: [false, true])
  func fullReading(withLog: Bool) throws {
    let disk = try Mount("size=1m,mode=700")
    let path = disk.path + "/permissions.sqlite"
    let folder = try TestFolder()
    let store = try open(folder.storePath)
    defer { withExtendedLifetime(store) {} }
    let kept = try store.decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
    if withLog {
      // A killed broker leaves them like this: the last decision is in the log alone.
      for ending in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: folder.storePath + ending, toPath: path + ending)
      }
    } else {
      #expect(try PlainWriter(path: folder.storePath).number("PRAGMA wal_checkpoint(TRUNCATE)") == 0)
      try FileManager.default.copyItem(atPath: folder.storePath, toPath: path)
    }
    try disk.fill()
    let before = disk.content()
    let full = try open(path)
    #expect(full.readOnlyReason?.contains("no space") == true)
    #expect(try full.decisions() == kept)
    #expect(try full.standing(of: backup, capability: "photos").allowed == [photos])
    #expect(try full.journal(.all, .newest(9)).count == 1)
    #expect(!StoreCheckup(path: path, now: world.wall).findings.contains { $0.level == .problem })
    let error = #expect(throws: StoreError.self) {
      try full.decide(Ruling(.deny, subject: backup, atoms: [photos]), by: here)
    }
    #expect(error?.description.contains("make room") == true)
    #expect(disk.content() == before)
  }

  @Test(
    "A store that is made on a full disk says so",
    .enabled(if: Mount.isPermitted, "mounting a small file system is not permitted here"))
  func fullAtStart() throws {
    let disk = try Mount("size=64k,mode=700")
    let filler = disk.path + "/filler"
    _ = FileManager.default.createFile(atPath: filler, contents: Data(count: 60_000))
    let path = disk.path + "/permissions.sqlite"
    #expect(throws: StoreError.diskFull(path: path)) { try open(path) }
  }

  @Test(
    "On a read-only medium all can be read and nothing changed",
    .enabled(if: Mount.isPermitted, "mounting a small file system is not permitted here"))
  func readOnly() throws {
    let disk = try Mount("size=4m,mode=700")
    let path = disk.path + "/a store?.sqlite"
    let kept = try open(path).decide(Ruling(.allow, subject: backup, atoms: [photos]), by: here)
    #expect(disk.remount(UInt(MS_RDONLY)))
    let store = try open(path)
    #expect(store.readOnlyReason != nil)
    #expect(try store.decisions() == kept)
    #expect(try store.standing(of: backup, capability: "photos").allowed == [photos])
    let error = #expect(throws: StoreError.self) {
      try store.decide(Ruling(.deny, subject: backup, atoms: [photos]), by: here)
    }
    #expect(error?.description.contains("mounted read-only") == true)
    #expect(try store.backUpIfDue() == nil)
  }

  @Test(
    "Another user's store is refused, with whose it is",
    .enabled(if: isRoot, "takes root, to be another user"))
  func otherOwner() throws {
    let folder = try TestFolder()
    _ = try open(folder.storePath)
    #expect(chown(folder.storePath, 65_534, 65_534) == 0)
    let error = #expect(throws: StoreError.self) { try open(folder.storePath) }
    #expect(error == .wrongOwner(path: folder.storePath, owner: 65_534))
    #expect(error?.description.contains("nobody") == true)
  }

  @Test(
    "Root makes no folder in another user's, and leaves that as it is",
    .enabled(if: isRoot, "takes root, to be another user"))
  func homeOfAnother() throws {
    let folder = try TestFolder()
    let home = folder.path + "/home"
    #expect(mkdir(home, 0o700) == 0 && chown(home, 65_534, 65_534) == 0)
    let error = #expect(throws: StoreError.self) {
      try open(home + "/.local/state/permtui/permissions.sqlite")
    }
    #expect(error == .wrongOwner(path: home, owner: 65_534))
    #expect(try FileManager.default.contentsOfDirectory(atPath: home).isEmpty)
  }

  @Test(
    "Without the right to write, what is there can be read",
    .enabled(if: isRoot, "takes root, to be another user"))
  func noRight() throws {
    let folder = try TestFolder()
    #expect(chmod(folder.path, 0o755) == 0)
    let store = folder.path + "/permtui"
    try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: false)
    #expect(chown(store, 65_534, 65_534) == 0)
    let prefix = ["/usr/sbin/runuser", "-u", "nobody", "--"]
    #expect(try WriterProcess(["open", folder.storePath], prefix: prefix).end() == ["kept"])
    #expect(chmod(folder.storePath, 0o400) == 0)
    let lines = try WriterProcess(["open", folder.storePath], prefix: prefix).end()
    #expect(lines.first?.contains("its mode does not let you write") == true)
  }
}
