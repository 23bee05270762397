import PermModelTesting
import Testing
import Waiting

@testable import PermModel

/// Each test runs in a process of its own, since a crash would end the process.
@Suite("Cut and flipped configuration, policy and import files", .usesOneThread)
struct DamagedTextTests {
  @Test("A configuration is read or reported, wherever it is cut and whichever bit is flipped")
  func configuration() async {
    await #expect(processExitsWith: .success) {
      for text in Damaged.texts(of: Damaged.configuration) {
        let environment = ProbeEnvironment(root: "/nonexistent", home: "/nonexistent")
        let read = UserConfiguration(text: text, file: "config.toml", environment)
        for problem in read.problems { precondition("\(problem)".hasPrefix("config.toml"), "\(problem)") }
      }
    }
  }

  @Test("A policy is read or reported, wherever it is cut and whichever bit is flipped")
  func policy() async {
    await #expect(processExitsWith: .success) {
      let camera = Capability.Camera.definition
      for text in Damaged.texts(of: Damaged.policy) {
        let (policy, problems) = MachinePolicy.parse(text, file: "policy.toml")
        _ = policy.restricted(for: Subject(label: "a"), camera)
        for problem in problems { precondition("\(problem)".hasPrefix("policy.toml"), "\(problem)") }
      }
    }
  }

  @Test(
    "An import is read or its line named, wherever it is cut and flipped; an import that was read can be read again"
  )
  func imports() async {
    await #expect(processExitsWith: .success) {
      for text in Damaged.texts(of: Damaged.export) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let decisions = try? DecisionLines.decode(lines) else { continue }
        let store = MemoryStore(environment: FixedEnvironment().environment)
        let plan = try store.planImport(of: decisions)
        try store.importDecisions(plan.decisions, by: .commandLine)
        let kept = try store.decisions()
        let again = try DecisionLines.decode(DecisionLines.encode(kept))
        precondition(again == kept)
        let unchanged = try store.planImport(of: again).unchanged
        precondition(unchanged == kept)
      }
    }
  }
}

private enum Damaged {
  /// Returns a text cut at every length, and with each of its bits flipped. Invalid bytes are read as the program reads
  /// them.
  static func texts(of text: String) -> [String] {
    let bytes = Array(text.utf8)
    let cut = bytes.indices.map { String(decoding: bytes[..<$0], as: UTF8.self) }
    let flipped = (0..<bytes.count * 8).map { bit in
      var bytes = bytes
      bytes[bit / 8] ^= 1 << (bit % 8)
      return String(decoding: bytes, as: UTF8.self)
    }
    return cut + flipped
  }

  static let configuration = #"""
    [photos]
    folder = "~/Pictures"
    [calendar]
    folders = ["~/a", '/b']
    [journal]
    days = 365
    [capability.deploy]
    title = "Deploy" # to production
    severity = "severe"
    requirements = ["staging", "production"]
    default = ["staging"]
    [capability.other.requirements.all]
    implies = ["some"]
    title = '''
    all'''
    [capability.other.requirements.some]
    title = "some"
    """#

  static let policy = """
    [[restrict]]
    capability = "camera"
    [[restrict]]
    capability = "cloud"
    parts = ["write", "read@nas"]
    programs = ["/usr/bin/rclone"]
    """

  static let export = #"""
    {"format":1,"permtui":"decisions"}
    {"atom":"read","capability":"photos","decidedAt":1750000000000000,"lifetime":"forever","origin":"command-line",\#
    "path":"/home/ana/bin/backup.sh","file":{"inode":7,"birth":8},"program":"backup","verdict":"allow"}
    {"atom":"*","capability":"*","decidedAt":1,"lastUsed":2,"lifetime":"until 1760000000000000 9000000 boot-1",\#
    "origin":"dashboard 5f0c","program":"Café","sandboxed":true,"note":"a\tb","verdict":"deny"}
    {"atom":"read","capability":"photos","decidedAt":1,"lifetime":"process 100 1","origin":"library","path":"/a",\#
    "program":"b","verdict":"allow"}

    """#
}
