import Foundation

/// Decisions as lines of JSON, for export and import.
///
/// The first line names the format; each other line is one decision. Lifetimes and origins are written as the
/// store keeps them, moments as microseconds since 1970.
public enum DecisionLines {
  /// The format that this code writes.
  static let format = 1

  /// The lines of an export, without line ends.
  public static func encode(_ decisions: some Sequence<Decision>) throws(StoreError) -> [String] {
    try storeErrors(at: "export") {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let head = String(
        decoding: try encoder.encode(Head(permtui: "decisions", format: format)), as: UTF8.self)
      return try [head] + decisions.map { String(decoding: try encoder.encode(Line($0)), as: UTF8.self) }
    }
  }

  /// Reads lines back.
  ///
  /// - Throws: ``StoreError/unreadableLine(number:reason:)`` for the first line that cannot be read, and
  ///   ``StoreError/newerVersion(path:found:known:)`` for an export of a newer program.
  public static func decode(_ lines: some Sequence<String>) throws(StoreError) -> [Decision] {
    let decoder = JSONDecoder()
    var decisions: [Decision] = []
    var isHeadRead = false
    for (index, line) in lines.enumerated() where !line.allSatisfy(\.isWhitespace) {
      let data = Data(line.utf8)
      guard isHeadRead else {
        try readHead(data, decoder)
        isHeadRead = true
        continue
      }
      do {
        decisions.append(try decoder.decode(Line.self, from: data).decision)
      } catch {
        throw StoreError.unreadableLine(number: index + 1, reason: reason(error))
      }
    }
    return decisions
  }

  private static func readHead(_ data: Data, _ decoder: JSONDecoder) throws(StoreError) {
    guard let head = try? decoder.decode(Head.self, from: data), head.permtui == "decisions" else {
      throw StoreError.unreadableLine(
        number: 1, reason: "this is no export of permtui: its first line is missing")
    }
    guard head.format <= format else {
      throw StoreError.newerVersion(path: "the export", found: head.format, known: format)
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, _): "\"\(key.stringValue)\" is missing"
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      "\"\(context.codingPath.map(\.stringValue).joined(separator: "."))\" has the wrong type"
    case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
      "\"\(context.codingPath.map(\.stringValue).joined(separator: "."))\": \(context.debugDescription)"
    default: "this is no JSON object"
    }
  }

  private struct Head: Codable {
    var permtui: String
    var format: Int
  }
}

/// One exported decision. The names are part of the format.
private struct Line: Codable {
  var program: String
  var path: String?
  var file: FileIdentity?
  var fileless: String?
  var sandboxed: Bool?
  var sandbox: String?
  var capability: String
  var atom: String
  var verdict: Verdict
  var lifetime: String
  var origin: String
  var note: String?
  var decidedAt: Int64
  var lastUsed: Int64?

  init(_ decision: Decision) {
    program = decision.subject.label
    path = decision.subject.path
    file = decision.subject.file
    sandboxed = decision.subject.isSandboxed ? true : nil
    sandbox = decision.subject.sandbox?.description
    fileless = decision.subject.fileless?.description
    capability = decision.atom.capability
    atom = decision.atom.name
    verdict = decision.verdict
    lifetime = decision.lifetime.description
    origin = decision.origin.description
    note = decision.note
    decidedAt = decision.decidedAt.microseconds
    lastUsed = decision.lastUsed?.microseconds
  }

  var decision: Decision {
    get throws {
      guard !program.isEmpty else { throw wrong(.program, "must not be empty") }
      guard !capability.isEmpty, !atom.isEmpty, !atom.contains(",") else {
        throw wrong(.atom, "is no part of a capability")
      }
      guard capability != Atom.everything.capability || (atom == Atom.everything.name && verdict == .deny)
      else {
        throw wrong(.capability, "only a deny can be for everything")
      }
      guard let lifetime = Lifetime(lifetime) else { throw wrong(.lifetime, "is no lifetime") }
      guard let origin = Origin(origin) else { throw wrong(.origin, "is no origin") }
      return Decision(
        subject: subject, atom: Atom(capability, atom), verdict: verdict, lifetime: lifetime, origin: origin,
        note: note, decidedAt: Timestamp(microseconds: decidedAt),
        lastUsed: lastUsed.map { Timestamp(microseconds: $0) })
    }
  }

  private var subject: Subject {
    let known = sandboxed == true ? sandbox.flatMap(Sandbox.init) ?? .unknown : nil
    return Subject(
      label: program, path: path, file: file, fileless: fileless.flatMap(FilelessProgram.init), sandbox: known
    )
  }

  private func wrong(_ key: CodingKeys, _ what: String) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: [key], debugDescription: what))
  }
}
