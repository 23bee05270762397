import Foundation
import TerminalTesting
import Testing
import Waiting

@Suite("Many names", .needsWalls, .timeLimit(.minutes(5)))
struct ManyNamesTests {
  @Test("A hundred thousand names need no more descriptors than there may be", arguments: [1024])
  func hundredThousand(limit: Int) async throws {
    let ground = try await Ground()
    let made = try await ground.outside("sh", "-c", "mkdir many; cd many; seq 100000 | xargs touch")
    #expect(made.ending == .exited(0), "\(made.messages)")
    let code = """
      import os, time
      for n in range(1, 100001): os.stat(f"many/{n}")
      print(len(os.listdir("many")), flush=True)
      while not os.path.exists("go"): time.sleep(0.005)
      for n in (1, 50000, 100000):
          with open(f"many/{n}", "a") as file: file.write("x")
      """
    let running = try ground.startInside(withLimit: limit, shell: "exec python3 -I -c '\(code)'")
    try await running.printed("100000")
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(running.process)/fd").count
    #expect(open < limit * 7 / 10)
    _ = try await ground.outside("touch", "go")
    #expect(try await running.end() == 0, "\(running.messages)")
    for number in [1, 50000, 100_000] { #expect(try ground.text("many/\(number)") == "x") }
  }
}
