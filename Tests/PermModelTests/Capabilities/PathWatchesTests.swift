import Dispatch
import Machine
import Testing

@testable import PermModel

@Suite("Watching paths", .timeLimit(.minutes(5)))
struct PathWatchesTests {
  private let watches = PathWatches()

  @Test(
    "However many follow the same paths, the kernel watches them once, and not at all when they have left")
  func shared() async throws {
    let folder = try TestFolder()
    let kernel = try FolderWatches(on: folder.path)
    let paths = [folder.path + "/there", folder.path + "/elsewhere"]
    do {
      var all = (0..<50).map { _ in watches.changes(of: paths).makeAsyncIterator() }
      for index in all.indices { #expect(await all[index].next() != nil) }
      #expect(kernel.count == 1)
      #expect(Files.makeAtOnce(folder.path + "/there", text: "now"))
      for index in all.indices { #expect(await all[index].next() != nil) }
    }
    #expect(await kernel.untilNone())
  }

  @Test("A watcher that comes later is told at once that watching has begun")
  func later() async throws {
    let folder = try TestFolder()
    var first = watches.changes(of: [folder.path]).makeAsyncIterator()
    #expect(await first.next() != nil)
    var second = watches.changes(of: [folder.path]).makeAsyncIterator()
    #expect(await second.next() != nil)
    #expect(Files.makeAtOnce(folder.path + "/new", text: ""))
    #expect(await first.next() != nil)
    #expect(await second.next() != nil)
  }

  @Test("Folders that appear one after the other while watching begins hide no file")
  func appearing() async throws {
    for _ in 0..<300 {
      let machine = try TestMachine()
      let folder = machine.root + "/a/b/c/d"
      let made = OneShot<Void>()
      DispatchQueue.global().async {
        machine.makeFolder(folder)
        made.set(())
      }
      var changes = watches.changes(of: [folder + "/file"]).makeAsyncIterator()
      // The first signal says that watching has begun.
      #expect(await changes.next() != nil)
      await made.value
      machine.write(to: folder + "/file")
      #expect(await changes.next() != nil)
    }
  }
}
