import Foundation
import TerminalTesting
import Testing

@Suite("A known answer", .timeLimit(.minutes(5)))
struct KnownAnswerTests {
  @Test("comes at once, and while a broker answers the client does not open the store")
  func storeStaysShut() async throws {
    let home = try AskingHome()
    let script = try home.write("#!/bin/bash\npermtui request photos --as backup\n:\n", to: "backup.sh")
    _ = try await home.permtui("allow", "backup@\(script)", "photos")
    let broker = try home.broker()
    // The broker has opened its files; from here on the kernel reports every process that opens them.
    _ = try await home.run([script])
    let opened = inotify_init1(Int32(IN_NONBLOCK))
    defer { close(opened) }
    #expect(inotify_add_watch(opened, home.store, UInt32(IN_OPEN)) >= 0)
    let run = try await home.run([script])
    #expect(run.output == "allowed\n", "\(run.messages)")
    var events = [UInt8](repeating: 0, count: 4096)
    #expect(read(opened, &events, events.count) < 0, "somebody opened the store")
    withExtendedLifetime(broker) {}
  }
}
