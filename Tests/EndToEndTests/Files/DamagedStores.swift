import Foundation
import GRDB
import PermModel
import TerminalTesting

/// Copies of one store, each damaged in a different way. They are the same in each run.
struct DamagedStores {
  /// One way to damage a store.
  struct Damage: Sendable {
    var name: String
    /// Damages the store at a path.
    var apply: @Sendable (_ path: String) throws -> Void
  }

  private let folder: TemporaryFolder
  private let store: SQLiteStore

  private var path: String { folder.file("store/permissions.sqlite") }

  /// Makes an intact store with content in each of its tables, and with its last changes only in its log.
  init() throws {
    folder = try TemporaryFolder()
    let path = folder.file("store/permissions.sqlite")
    store = try SQLiteStore(path: path, environment: .linux(sessionFolder: nil))
    try Self.fill(store)
    try DatabaseQueue(path: path).inDatabase { db in
      try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    for verdict in Verdict.allCases {
      try store.decide(Ruling(verdict, subject: backup, atoms: [Atom("photos", "read")]), by: .commandLine)
    }
  }

  private var backup: Subject { Subject(label: "backup", path: "/usr/bin/env") }

  private static func fill(_ store: SQLiteStore) throws {
    let rulings = (0..<80).map { number in
      Ruling(
        Verdict.allCases[number % 2], subject: Subject(label: "program \(number)", path: "/bin/\(number)"),
        atoms: [Atom("photos", "read")], lifetime: number % 3 == 0 ? .duration(.seconds(3_600)) : .forever,
        note: "note \(number)")
    }
    try store.decide(rulings, by: .commandLine)
    let asked = Request(
      id: Request.ID("damaged-stores-request"), subject: Subject(label: "asks", path: "/usr/bin/env"),
      capability: "camera", atoms: [Atom("camera")], reason: "to see", askedAt: store.environment.now().wall)
    try store.open(asked)
    try store.setSuspended(true, by: .commandLine)
    try store.record(
      AutomaticAnswer(
        .deny, subject: asked.subject, capability: "camera", atoms: asked.atoms, reason: "suspended"))
  }

  /// Makes a copy at a path, with its log or without, and damages it.
  func make(_ damage: Damage, at copy: String) throws {
    let files = FileManager.default
    try files.createDirectory(
      atPath: URL(filePath: copy).deletingLastPathComponent().path, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    try files.copyItem(atPath: path, toPath: copy)
    if damage.name.hasPrefix("log") { try files.copyItem(atPath: path + "-wal", toPath: copy + "-wal") }
    try damage.apply(copy)
  }
}

// MARK: The damages

extension DamagedStores {
  var damages: [Damage] { cuts + flips + removals + wrongValues + logs }

  private var size: Int { (try? Data(contentsOf: URL(filePath: path)).count) ?? 0 }

  /// Lengths around the headers and the ends of pages.
  private var cuts: [Damage] {
    let pages = stride(from: 4_096, to: size, by: 4_096).flatMap { [$0, $0 + 1_000] }
    return ([1, 15, 16, 60, 99, 100, 101, 511, 512, 1_024, 4_095] + pages).map { length in
      Damage(name: "cut at \(length)") { try $0.truncateFile(to: length) }
    }
  }

  /// Bytes in each field of the header, and all over the pages.
  private var flips: [Damage] {
    let header = [0, 15] + Array(16..<72) + Array(92..<108)
    let pages = (0..<48).map { 108 + ($0 * 7_919) % (size - 108) }
    return (header + pages).map { place in
      Damage(name: "flipped at \(place)") { try $0.flip(at: place, place % 2 == 0 ? 0x80 : 0x01) }
    }
  }

  private var removals: [Damage] {
    ["decisions", "capabilities", "requests", "journal", "suspension"].map { table in
      Damage(name: "without \(table)") { try $0.run("DROP TABLE \(table)") }
    }
      + ["user_version", "application_id"].flatMap { name in
        [-1, 0, 7].map { number in
          Damage(name: "\(name) \(number)") { try $0.run("PRAGMA \(name) = \(number)") }
        }
      }
  }

  /// NULL, and a value of the wrong kind, in each column.
  private var wrongValues: [Damage] {
    let columns = [
      "decisions": ["verdict", "lifetime", "origin", "note", "decided_at", "last_used"],
      "capabilities": ["allowed", "denied", "asked_at"],
      "requests": ["pid", "start_time", "body", "set_aside_at"],
      "journal": [
        "at", "kind", "origin", "label", "program", "capability", "atoms", "request", "verdict", "text",
        "count",
        "last_at", "change", "before", "after",
      ],
      "suspension": ["since", "origin"],
    ]
    return columns.sorted { $0.key < $1.key }.flatMap { table, columns in
      columns.flatMap { column in
        ["NULL", "x'ff00'"].map { value in
          Damage(name: "\(table).\(column) is \(value)") { try $0.set(table, column, value) }
        }
      }
    }
  }

  private var logs: [Damage] {
    let cuts = [1, 31, 32, 33, 56, 4_000, 4_152, 8_000].map { length in
      Damage(name: "log cut at \(length)") { try ($0 + "-wal").truncateFile(to: length) }
    }
    let flips = [0, 4, 8, 16, 24, 40, 60, 2_000, 4_160].map { place in
      Damage(name: "log flipped at \(place)") { try ($0 + "-wal").flip(at: place, 0x40) }
    }
    let others = [
      Damage(name: "log of noise") { try ($0 + "-wal").overwrite(Data(repeating: 0x5a, count: 9_000)) },
      Damage(name: "log, and no file") { try $0.truncateFile(to: 0) },
      Damage(name: "log of a cut file") { try $0.truncateFile(to: 8_192) },
      Damage(name: "log of a flipped file") { try $0.flip(at: 9_000, 0xff) },
      Damage(name: "log's index of noise") {
        try ($0 + "-shm").overwrite(Data(repeating: 0x5a, count: 32_768))
      },
    ]
    return cuts + flips + others
  }
}

// MARK: Damaging

extension String {
  fileprivate func truncateFile(to length: Int) throws {
    let file = try FileHandle(forWritingTo: URL(filePath: self))
    try file.truncate(atOffset: UInt64(length))
    try file.close()
  }

  fileprivate func flip(at place: Int, _ bits: UInt8) throws {
    var bytes = try Data(contentsOf: URL(filePath: self))
    bytes[place % bytes.count] ^= bits
    try overwrite(bytes)
  }

  fileprivate func overwrite(_ bytes: Data) throws {
    try bytes.write(to: URL(filePath: self))
    chmod(self, 0o600)
  }

  /// Runs SQL, and closes the file again, so that all changes are in the one file.
  fileprivate func run(_ statements: String...) throws {
    let queue = try DatabaseQueue(path: self)
    try queue.writeWithoutTransaction { db in for sql in statements { try db.execute(sql: sql) } }
    try queue.close()
  }

  /// Sets a column to a value that its table does not accept.
  fileprivate func set(_ table: String, _ column: String, _ value: String) throws {
    let schema = "SELECT sql FROM sqlite_master WHERE name = '\(table)'"
    let sql = try DatabaseQueue(path: self).inDatabase { try String.fetchOne($0, sql: schema) } ?? ""
    let loose = sql.replacing(" NOT NULL", with: "").replacing(") STRICT", with: ")").replacing(
      "), WITHOUT", with: ") WITHOUT")
    try define(table, loose)
    try run("UPDATE \(table) SET \(column) = \(value)")
    try define(table, sql)
  }

  /// Changes the text of a table's definition, and none of its rows.
  private func define(_ table: String, _ sql: String) throws {
    let text = sql.replacing("'", with: "''")
    try run(
      "PRAGMA writable_schema = ON", "UPDATE sqlite_master SET sql = '\(text)' WHERE name = '\(table)'",
      "PRAGMA writable_schema = OFF")
  }
}
