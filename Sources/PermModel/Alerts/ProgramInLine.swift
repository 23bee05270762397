/// Whose turn it is: the file, whatever it calls itself, as with the limits.
enum ProgramInLine: Hashable, Sendable {
  case file(FileIdentity, isSandboxed: Bool)
  /// A file that only root can put another in the place of.
  case path(String)
  case fileless(parents: UInt64)
  case label(String)

  init(_ subject: Subject) {
    self =
      subject.file.map { .file($0, isSandboxed: subject.isSandboxed) } ?? subject.path.map { .path($0) }
      ?? subject.fileless.map { .fileless(parents: $0.parents) } ?? .label(subject.label)
  }
}

extension Alert {
  /// The program that asks; `nil` for what is no request.
  var program: ProgramInLine? {
    if case .request(let alert) = content { ProgramInLine(alert.request.subject) } else { nil }
  }
}
