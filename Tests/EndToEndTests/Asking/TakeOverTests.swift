import Foundation
import TerminalTesting
import Testing

/// Brokers that are killed with twenty requests waiting, while other programs ask under the same IDs and answers arrive
/// with a broker, without one, and with the digest of another request.
///
/// `PERMTUI_TAKE_OVERS` sets the number of brokers to kill.
@Suite("Brokers that are killed one after the other", .timeLimit(.minutes(30)))
struct TakeOverTests {
  private let home: AskingHome
  private static let programs = 20
  private static let rounds =
    ProcessInfo.processInfo.environment["PERMTUI_TAKE_OVERS"].flatMap { Int($0) } ?? 3

  init() throws {
    home = try AskingHome()
    for number in 0..<Self.programs {
      try home.write(
        "#!/bin/sh\npermtui request photos --as p\(number) --wait 3600 --reason \"$1\"\n",
        to: "program\(number)")
    }
  }

  /// A program's request, and its client's ending.
  private struct Asked {
    var reason: String
    var end: Task<ProcessRun, any Error>
  }

  private enum Word: String, CaseIterable {
    case allow, deny, dismiss

    var ending: (code: Int32, output: String) {
      switch self {
      case .allow: (0, "allowed\n")
      case .deny: (1, "denied\n")
      case .dismiss: (3, "no answer\n")
      }
    }
  }

  @Test("No request is lost, none is answered unread, and every program gets its own answer")
  func takeOvers() async throws {
    let seed = UInt64.random(in: 0 ..< .max)
    var random = Dice(seed: seed)
    var asked: [Int: Asked] = [:]
    var broker = try home.broker()
    var ids: Set<String> = []
    for round in 0..<Self.rounds {
      for number in 0..<Self.programs where asked[number] == nil {
        asked[number] = ask(number, "round \(round)")
      }
      let waiting = try await home.pending(Self.programs)
      ids.formUnion(waiting.map(\.id))
      for one in waiting {
        #expect(asked[one.number]?.reason == one.reason, "seed \(seed), round \(round)")
      }
      let chosen = Array(waiting.shuffled(using: &random).prefix(9))
      var words: [Int: Word] = [:]
      for one in chosen { words[one.number] = Word.allCases.randomElement(using: &random) }
      try await answer(chosen[0..<3], words)

      broker.signal(SIGKILL)
      _ = try broker.waitForEnd()
      let thieves = try await withThrowingTaskGroup(of: String.self) { group in
        for one in waiting.dropFirst(12) { group.addTask { try await steal(one) } }
        try await answer(chosen[3..<6], words)
        broker = try home.broker()
        try await swapDigests(chosen[6..<9])
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(thieves.allSatisfy { $0.contains("io.permtui.Broker.Refused") }, "seed \(seed): \(thieves)")
      try await answer(chosen[6..<9], words)
      for (number, word) in words {
        let run = try await asked.removeValue(forKey: number)?.end.value
        #expect(
          run?.ending == .exited(word.ending.code) && run?.output == word.ending.output,
          "seed \(seed), round \(round), \(number): \(word), \(String(describing: run))")
      }
    }
    for one in try await home.pending(asked.count) { _ = try await home.permtui("answer", one.id, "dismiss") }
    for (number, one) in asked {
      let run = try await one.end.value
      #expect(run.ending == .exited(3), "seed \(seed), \(number): \(run)")
    }
    try await checkJournal(ids)
    withExtendedLifetime(broker) {}
  }

  private func ask(_ number: Int, _ reason: String) -> Asked {
    Asked(
      reason: reason,
      end: Task { [home] in
        try await ProcessRun.run(
          "/usr/bin/env", ["program\(number)", reason], environment: home.environment, limit: .seconds(1_800))
      })
  }

  private func answer(_ chosen: ArraySlice<AskingHome.Waiting>, _ words: [Int: Word]) async throws {
    for one in chosen {
      let word = try #require(words[one.number])
      let run = try await home.permtui("answer", one.id, word.rawValue, "--digest", one.digest)
      #expect(run.ending == .exited(0), "\(one) \(run.messages)")
    }
  }

  /// Answers each request with the digest of the next, which is valid for neither.
  private func swapDigests(_ chosen: ArraySlice<AskingHome.Waiting>) async throws {
    let chosen = Array(chosen)
    for (place, one) in chosen.enumerated() {
      let other = chosen[(place + 1) % chosen.count]
      let run = try await home.permtui(
        "answer", one.id, "allow", "--for", "forever", "--digest", other.digest)
      #expect(run.ending == .exited(3), "\(run.messages)")
    }
  }

  /// Asks for something else with the ID of a waiting request, as soon as there is a broker.
  private func steal(_ one: AskingHome.Waiting) async throws -> String {
    try await home.run([
      "python3", "-c",
      """
      import json, socket, sys, time
      path, id, label = sys.argv[1:]
      while True:
          connection = socket.socket(socket.AF_UNIX)
          try:
              connection.connect(path)
              call = {"method": "io.permtui.Broker.Request", "parameters":
                  {"id": id, "label": label, "capability": "photos:add-only", "reason": "something else"}}
              connection.sendall(json.dumps(call).encode() + b"\\0")
              reply = b""
              while not reply.endswith(b"\\0"):
                  chunk = connection.recv(4096)
                  if not chunk: raise OSError()
                  reply += chunk
              print(reply[:-1].decode())
              break
          except OSError:
              time.sleep(0.001)
      """, "\(home.sockets)/ask", one.id, one.label,
    ]).output
  }

  /// Checks that each request was asked once and ended once.
  private func checkJournal(_ ids: Set<String>) async throws {
    let log = try await home.permtui("log", "--json", "--since", "24h").output.split(separator: "\n")
    var kinds: [String: [String]] = [:]
    for line in log {
      let entry = try JSONDecoder().decode(Entry.self, from: Data(line.utf8))
      if let request = entry.request { kinds[request, default: []].append(entry.kind) }
    }
    for id in ids {
      let found = kinds[id] ?? []
      #expect(found.filter { $0 == "asked" }.count == 1, "\(id): \(found)")
      #expect(found.filter { ["answered", "dismissed"].contains($0) }.count == 1, "\(id): \(found)")
      #expect(!found.contains("withdrawn") && !found.contains("timed-out"), "\(id): \(found)")
    }
    #expect(Set(kinds.keys) == ids)
  }

  private struct Entry: Decodable {
    var kind: String
    var request: String?
  }

  /// Random numbers that repeat for the same seed.
  private struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }
}
