import Foundation
import TerminalTesting
import Testing

@Suite("Asking for values", .timeLimit(.minutes(5)))
struct ValueRequestTests {
  private let home: AskingHome

  init() throws {
    home = try AskingHome()
    try FileManager.default.createDirectory(
      atPath: home.folder.file("srv"), withIntermediateDirectories: false)
  }

  @Test("Several capabilities are one request each; all must be allowed", arguments: [true, false])
  func several(hasBroker: Bool) async throws {
    let script = try home.write(
      "#!/bin/bash\ncd \(home.folder.file("srv"))\npermtui request \"$@\"\n:\n".replacing(
        "\n:\n", with: "\nexit $?\n"),
      to: "player.sh")
    let broker = hasBroker ? try home.broker() : nil
    let here = try #require(realpath(home.folder.file("srv"), nil).map { String(cString: $0) })
    let decided = try await home.permtui(
      "allow", "player.sh@\(script)", "photos", "files:read@\(here)/", "network:connect@example.org")
    #expect(decided.ending == .exited(0), "\(decided.messages)")
    let asked = ["photos", "files:read@./a.txt", "files:read@b,c", "network:connect@example.org:443"]
    let run = try await home.run([script] + asked)
    #expect(
      run.output
        == "allowed: photos:read\nallowed: files:read@\(here)/a.txt files:read@\(here)/b,c\n"
        + "allowed: network:connect@example.org:443\n", "\(run.messages)")
    #expect(run.ending == .exited(0))
    _ = try await home.permtui("deny", "player.sh@\(script)", "files:read@\(here)/a.txt")
    let denied = try await home.run([script] + asked + ["--json"])
    #expect(denied.ending == .exited(1), "\(denied.messages)")
    let reports = try JSONDecoder().decode([Report].self, from: Data(denied.output.utf8))
    #expect(reports.map(\.answer) == ["allowed", "denied", "allowed"])
    #expect(reports[1].requirement == ["files:read@\(here)/a.txt", "files:read@\(here)/b,c"])
    withExtendedLifetime(broker) {}
  }

  private struct Report: Decodable {
    var answer: String
    var requirement: [String]
  }

  @Test("Details come from a file or a pipe, and are shown with what waits")
  func details() async throws {
    let broker = try home.broker()
    try home.write(
      "#!/bin/bash\nseq 5000 | permtui request photos --details - --wait 60\nexit $?\n", to: "edit.sh")
    async let asking = home.run(["edit.sh"])
    let ids = try await home.waitingIDs(1)
    let json = try await home.permtui("pending", "--json").output
    #expect(json.contains(#""details_left_out":4900"#), "\(json)")
    #expect(json.contains(#""details":"1\n2\n3\n"#), "\(json)")
    _ = try await home.permtui("answer", ids[0], "dismiss")
    #expect(try await asking.ending == .exited(3))
    withExtendedLifetime(broker) {}
  }

  @Test(
    "Details that are not text are refused",
    arguments: [("printf 'a\\0b'", "NUL"), ("printf 'a\\351'", "UTF-8"), ("cat /nonexistent", "")])
  func wrongDetails(command: String, hint: String) async throws {
    try home.write(
      "#!/bin/bash\n\(command) | permtui request photos --details - --wait 0\nexit $?\n", to: "edit.sh")
    let run = try await home.run(["edit.sh"])
    guard !hint.isEmpty else {
      #expect(run.ending == .exited(3), "empty details are none: \(run.messages)")
      return
    }
    #expect(run.ending == .exited(2))
    #expect(run.messages.contains(hint), "\(run.messages)")
    #expect(try await home.permtui("pending").output.isEmpty)
  }

  @Test("Bytes that are not UTF-8 in an argument are refused, and the message says how to write them")
  func rawBytes() async throws {
    try home.write("#!/bin/bash\npermtui deny player $'files:read@/srv/caf\\351'\nexit $?\n", to: "deny.sh")
    let run = try await home.run(["deny.sh"])
    #expect(run.ending == .exited(64), "\(run.output)")
    #expect(run.messages.contains("\\xe9"), "\(run.messages)")
    #expect(try await home.permtui("status", "files").output.isEmpty)
  }
}
