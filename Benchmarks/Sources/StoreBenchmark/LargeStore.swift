import GRDB
import PermModel

/// A store with 100 000 decisions and a journal of 1 000 000 entries.
struct LargeStore {
  static let decisions = 100_000
  static let capabilities = ["photos", "camera", "calendar", "location"]

  let path: String

  init(path: String, environment: StoreEnvironment) throws {
    self.path = path
    let store = try SQLiteStore(path: path, environment: environment)
    let moment = environment.now().wall
    let decisions = (0..<LargeStore.decisions).map { number in
      Decision(
        subject: LargeStore.subject(number), atom: LargeStore.atom(number),
        verdict: number % 5 == 0 ? .deny : .allow, lifetime: .forever, origin: .library, decidedAt: moment)
    }
    try store.importDecisions(decisions, by: .library)
    try fillJournal()
  }

  static func subject(_ number: Int) -> Subject {
    Subject(label: "program-\(number)", path: "/usr/local/bin/program-\(number)")
  }

  static func atom(_ number: Int) -> Atom { Atom(capabilities[number % capabilities.count], "read") }

  /// Adds entries of uses, bypassing the store's rules, which would take a commit for each.
  private func fillJournal() throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in
      try db.execute(
        sql: """
          WITH RECURSIVE number (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number WHERE i < 900000)
          INSERT INTO journal (at, kind, label, program, capability, atoms, verdict, text, count)
          SELECT 1700000000000000 + i * 1000000, 'automatic', 'program-' || (i % 100000),
            '/usr/local/bin/program-' || (i % 100000) || char(9) || char(9), 'photos', 'read', 'allow',
            'decided before', 1
          FROM number
          """)
    }
  }
}
