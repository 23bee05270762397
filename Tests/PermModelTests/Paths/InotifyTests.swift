import Dispatch
import Foundation
import Glibc
import Machine
import PermModelTesting
import Testing

@testable import PermModel

@Suite("One inotify instance", .timeLimit(.minutes(5)))
struct InotifyTests {
  /// The events that a follower was told about, in order.
  private struct Heard: Sendable {
    let inotify: Inotify
    let events: AsyncStream<Inotify.Event>

    init(at instance: InotifyInstance) {
      let (events, continuation) = AsyncStream.makeStream(of: Inotify.Event.self)
      self.events = events
      inotify = Inotify(at: instance) { events in for event in events { continuation.yield(event) } }
    }

    /// Waits for the next event.
    func next() async -> Inotify.Event? {
      for await event in events { return event }
      return nil
    }
  }

  /// An instance that the kernel refuses until ``lift()`` is called, as if other programs held all instances.
  private final class Refusal: Sendable {
    private let isLifted = Lock(false)
    func lift() { isLifted.withLock { $0 = true } }
    func make() -> InotifyInstance {
      InotifyInstance { [self] in
        isLifted.withLock(\.self) ? inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)) : -1
      }
    }
  }

  private func write(_ path: String, _ text: String) throws { try Files.overwrite(path, text: text) }

  @Test("All followers in a process share one instance, which is closed after the last of them")
  func shared() async throws {
    let opened = Lock(0)
    let instance = InotifyInstance {
      opened.withLock { $0 += 1 }
      return inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    }
    let folder = try TestFolder()
    let kernel = try FolderWatches(on: folder.path)
    do {
      let followers = (0..<20).map { _ in Heard(at: instance) }
      for follower in followers { try follower.inotify.watch(folder.path, for: .arrivals) }
      #expect(kernel.count == 1)
      try write(folder.path + "/new", "")
      for follower in followers { #expect(await follower.next()?.name == "new") }
      #expect(opened.withLock(\.self) == 1)
    }
    #expect(await kernel.untilNone())
    let later = Heard(at: instance)
    try later.inotify.watch(folder.path, for: .arrivals)
    #expect(opened.withLock(\.self) == 2)
  }

  @Test("Each follower is told only about the changes that it asked for, though the kernel has one watch")
  func masks() async throws {
    let instance = InotifyInstance()
    let folder = try TestFolder()
    let (arrivals, attributes) = (Heard(at: instance), Heard(at: instance))
    try arrivals.inotify.watch(folder.path, for: .arrivals)
    try attributes.inotify.watch(folder.path, for: .attributes)
    try write(folder.path + "/a", "")
    try Files.setMode(folder.path + "/a", 0o600)
    try write(folder.path + "/b", "")
    #expect(await arrivals.next()?.name == "a")
    #expect(await arrivals.next()?.name == "b")
    #expect(await attributes.next()?.name == "a")
  }

  @Test("A watch for one event reports one of many writes, and can be renewed")
  func once() async throws {
    let folder = try TestFolder()
    let file = folder.path + "/log"
    try write(file, "")
    let heard = Heard(at: InotifyInstance())
    let first = try heard.inotify.watch(file, for: .writes, once: true)
    #expect(
      await {
        for _ in 0..<50 { try? write(file, "x") }; return await heard.next()?.watch
      }() == first)
    let second = try heard.inotify.watch(file, for: .writes, once: true)
    #expect(first != second)
    try write(file, "y")
    #expect(await heard.next()?.watch == second)
  }

  @Test("A path that is not there cannot be watched, with an instance or without", arguments: [true, false])
  func missing(hasInstance: Bool) throws {
    let refusal = Refusal()
    if hasInstance { refusal.lift() }
    let heard = Heard(at: refusal.make())
    #expect(throws: SystemError.self) { try heard.inotify.watch("/nowhere/at/all", for: .arrivals) }
  }

  @Test("Without an instance, changes are noticed a little later, and the number that is used up is named")
  func refused() async throws {
    let folder = try TestFolder()
    let refusal = Refusal()
    let instance = refusal.make()
    let heard = Heard(at: instance)
    #expect(instance.shortage == nil)
    let watch = try heard.inotify.watch(folder.path, for: .arrivals)
    #expect(instance.shortage == .instances)
    #expect(instance.shortage?.rawValue == "fs.inotify.max_user_instances")
    try write(folder.path + "/new", "")
    #expect(await heard.next()?.watch == watch)
    try write(folder.path + "/new", "longer")
    #expect(await heard.next()?.watch == watch)
  }

  @Test("Once the kernel has an instance again, it is used, and no change in between is missed")
  func lifted() async throws {
    let folder = try TestFolder()
    let refusal = Refusal()
    let instance = refusal.make()
    let heard = Heard(at: instance)
    try heard.inotify.watch(folder.path, for: .arrivals)
    let changes = instance.shortageChanges()
    try write(folder.path + "/before", "")
    refusal.lift()
    #expect(await heard.next() != nil)
    for await _ in changes where instance.shortage == nil { break }
    try write(folder.path + "/after", "")
    #expect(await heard.next()?.name == "after")
  }

  @Test("The end of a watched folder is told, with an instance or without", arguments: [true, false])
  func removed(hasInstance: Bool) async throws {
    let folder = try TestFolder()
    let inner = folder.path + "/inner"
    try Folder.make(inner)
    let refusal = Refusal()
    if hasInstance { refusal.lift() }
    let heard = Heard(at: refusal.make())
    let watch = try heard.inotify.watch(inner, for: .arrivals)
    Folder.removeTree(inner)
    #expect(await heard.next()?.watch == watch)
  }

  @Test("A store without an instance tells its own consumers at once, and those of others a second later")
  func store() async throws {
    let folder = try TestFolder()
    let world = FixedEnvironment()
    let instance = Refusal().make()
    func open() throws -> SQLiteStore {
      try SQLiteStore(path: folder.storePath, environment: world.environment, inotify: instance)
    }
    let (own, other) = (try open(), try open())
    var ownChanges = try own.changes().makeAsyncIterator()
    var otherChanges = try other.changes().makeAsyncIterator()
    for label in ["one", "two"] {
      try own.decide(Ruling(.allow, subject: Subject(label: label), atoms: [photos]), by: here)
      #expect(try await ownChanges.next()?.entries.map(\.subject?.label) == [label])
      #expect(try await otherChanges.next()?.entries.map(\.subject?.label) == [label])
    }
  }
}
