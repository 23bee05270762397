import FoundationEssentials
import GRDB

extension StoreRows {
  private static let fields = "body, pid, start_time, set_aside_at, terminal"

  func request(_ id: Request.ID) throws -> StoredRequest? {
    try rows("SELECT \(Self.fields) FROM requests WHERE id = ?", [id.text], waiting).first
  }

  func waitingRequests() throws -> [StoredRequest] {
    try rows("SELECT \(Self.fields) FROM requests ORDER BY asked_at, id", [], waiting)
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

  private func waiting(_ row: StoredRow) throws -> StoredRequest {
    let body: String = try row[0]
    let request = try known(try? JSONDecoder().decode(Request.self, from: Data(body.utf8)), body)
    let startTime: String = try row[2]
    return StoredRequest(
      request,
      process: ProcessIdentity(pid: try row[1], startTime: try known(UInt64(startTime), startTime)),
      setAsideAt: (try row[3] as Int64?).map { Timestamp(microseconds: $0) }, terminal: try row[4])
  }
}
