import PermModel

/// A store with 100 000 decisions about values, half of them of one program.
struct ValueStore {
  static let decisions = 100_000
  /// The number of the decisions of ``agent``.
  static let ofAgent = 50_000
  static let agent = Subject(label: "agent", path: "/usr/local/bin/agent")

  let store: SQLiteStore

  init(path: String, environment: StoreEnvironment) throws {
    store = try SQLiteStore(path: path, environment: environment)
    let moment = environment.now().wall
    let decisions = try (0..<Self.decisions).map { number in
      Decision(
        subject: Self.subject(number), atom: try Self.atom(number),
        verdict: number % 5 == 0 ? .deny : .allow, lifetime: .forever, origin: .library, decidedAt: moment)
    }
    try store.importDecisions(decisions, by: .library)
  }

  static func subject(_ number: Int) -> Subject {
    number < ofAgent ? agent : LargeStore.subject(number)
  }

  /// A part with a value: three of five are files, the others hosts and command lines.
  static func atom(_ number: Int) throws -> Atom {
    switch number % 5 {
    case 0, 1, 2: try file(number)
    case 3: Atom("network", "connect", .host(try Host("host-\(number).example.com"), port: 443))
    default: Atom("commands", "run", .command("make target-\(number)"))
    }
  }

  /// A file eight folders deep, as in a project of many packages.
  static func file(_ number: Int) throws -> Atom {
    let path = "/home/ana/src/company/project-\(number % 97)/packages/core/src/file-\(number).ts"
    return Atom("files", "read", .path(try AbsolutePath(path)))
  }
}
