import FoundationEssentials
import GRDB

extension StoreRows {
  private static let fields = "body, pid, start_time, set_aside_at, terminal, id"

  func request(_ id: Request.ID) throws -> StoredRequest? {
    try rows("SELECT \(Self.fields) FROM requests WHERE id = ?", [id.text]) { row in
      try waiting(row, try decoded(try row[0]))
    }.first
  }

  func waitingRequests() throws -> [StoredRequest] {
    var reading = DecodedRequests.Reading(decodedRequests)
    let all = try rows("SELECT \(Self.fields) FROM requests ORDER BY asked_at, id") { row in
      try waiting(row, try reading.request(try row[5], try row[0], decoded))
    }
    reading.end()
    return all
  }

  func requests(of process: ProcessIdentity) throws -> [StoredRequest] {
    try rows(
      "SELECT \(Self.fields) FROM requests WHERE pid = ? AND start_time = ? ORDER BY asked_at, id",
      [process.pid, String(process.startTime)]
    ) { row in try waiting(row, try decoded(try row[0])) }
  }

  func waitingCount() throws -> Int {
    try rows("SELECT count(*) FROM requests") { Int(try $0[0] as Int64) }.first ?? 0
  }

  func put(_ waiting: StoredRequest) throws {
    let request = waiting.request
    try execute(
      """
      INSERT INTO requests (id, label, path, asked_at, set_aside_at, pid, start_time, body, terminal)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET set_aside_at = excluded.set_aside_at, pid = excluded.pid,
        start_time = excluded.start_time, body = excluded.body, terminal = excluded.terminal
      """,
      [
        request.id.text, request.subject.label, request.subject.path, request.askedAt.microseconds,
        waiting.setAsideAt?.microseconds, waiting.process.pid, String(waiting.process.startTime),
        String(decoding: try JSONEncoder().encode(request), as: UTF8.self), waiting.terminal,
      ])
  }

  func removeRequest(_ id: Request.ID) throws {
    try execute("DELETE FROM requests WHERE id = ?", [id.text])
  }

  private func decoded(_ body: String) throws -> Request {
    try known(try? JSONDecoder().decode(Request.self, from: Data(body.utf8)), body)
  }

  private func waiting(_ row: StoredRow, _ request: Request) throws -> StoredRequest {
    let startTime: String = try row[2]
    return StoredRequest(
      request,
      process: ProcessIdentity(pid: try row[1], startTime: try known(UInt64(startTime), startTime)),
      setAsideAt: (try row[3] as Int64?).map { Timestamp(microseconds: $0) }, terminal: try row[4])
  }
}
