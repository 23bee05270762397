/// A digest of an alert's content. Each answer comes with the digest of the alert that the person read.
///
/// The digest is the SHA-256 hash of everything on which an answer can depend: the machine, the IDs and processes of
/// the requests, the complete identity of the program, the doubts, the capability as it is configured, the parts, the
/// reason, and the lifetimes on offer. Mere context is left out: the time of the request, earlier answers, the counts
/// of a probe, and the number of other waiting requests.
package struct AlertDigest: Hashable, Sendable {
  private let bytes: [UInt8]

  /// The name and version of the byte format from which the digest is computed.
  private static let domain = "io.permtui.alert 2"
  /// The name of the machine from which the requests come; empty for this machine.
  private static let machine = ""

  package init(_ alert: Alert) {
    var canonical = CanonicalBytes()
    canonical.add(Self.domain)
    canonical.add(Self.machine)
    canonical.add(alert.id.text)
    switch alert.content {
    case .request(let request): canonical.add(request)
    case .confirmation(let confirmation): canonical.add(confirmation)
    case .notice(let notice):
      canonical.add("notice")
      for text in [notice.title, notice.message, notice.button] { canonical.add(text) }
    }
    bytes = SHA256.digest(of: canonical.bytes)
  }
}

extension AlertDigest: LosslessStringConvertible {
  /// The digest as 64 hexadecimal digits.
  package var description: String { bytes.hexadecimal }

  package init?(_ description: String) {
    let digits = description.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == 64, description.utf8.count == 64 else { return nil }
    bytes = stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
  }
}

extension Alert {
  /// The digest of this alert's content.
  package var digest: AlertDigest { AlertDigest(self) }
}

extension CanonicalBytes {
  fileprivate mutating func add(_ alert: RequestAlert) {
    add("request")
    add(alert.request)
    add(alert.joined) { bytes, other in
      bytes.add(other.id.text)
      bytes.add(other.process)
    }
    add(alert.doubts) { $0.add($1) }
    add(alert.identity)
    for text in [alert.title, alert.action, alert.definition] { add(text) }
    add(alert.severity.rank)
    add(alert.choices) { bytes, choice in
      bytes.add(choice.title)
      bytes.add(choice.atoms)
    }
    add(alert.covers) { bytes, offer in
      bytes.add(CollectionOfOne(offer.scope).compactMap(\.self)) { $0.add($1) }
      bytes.add(offer.words)
      bytes.add(CollectionOfOne(offer.longest).compactMap(\.self)) { $0.add($1) }
      bytes.add(offer.limitReason)
    }
    add(alert.lifetimes) { bytes, offer in
      bytes.add(offer.choice)
      bytes.add(offer.disabledReason)
      bytes.add(offer.denialOnlyReason)
    }
    add(alert.restingAllow)
  }

  private mutating func add(_ request: Request) {
    add(request.id.text)
    add(request.subject)
    add(request.capability)
    add(request.atoms)
    add(request.reason)
    add(CollectionOfOne(request.details).compactMap(\.self)) { bytes, details in
      bytes.add(details.text)
      bytes.add(details.linesLeftOut)
    }
    add(request.facts)
    add(CollectionOfOne(request.suggestedLifetime).compactMap(\.self)) { $0.add($1) }
    add(CollectionOfOne(request.evidence).compactMap(\.self)) { $0.add($1) }
  }

  private mutating func add(_ facts: ValueFacts) {
    add(facts.paths) { bytes, fact in
      bytes.add(fact.scope)
      bytes.add(CollectionOfOne(fact.spelling).compactMap(\.self)) { $0.add($1) }
      bytes.add(fact.written)
      bytes.add(fact.doubt)
      bytes.add(CollectionOfOne(fact.file).compactMap(\.self)) { bytes, file in
        bytes.add(file.device)
        bytes.add(file.inode)
      }
    }
    add(CollectionOfOne(facts.project).compactMap(\.self)) { $0.add($1) }
    add(facts.forms.sorted()) { $0.add($1) }
    add(facts.formsReason)
    add(facts.writer)
    add(facts.isElsewhere ? 1 : 0)
    add((facts.proxied ?? []).sorted()) { $0.add($1) }
  }

  private mutating func add(_ program: Subject) {
    add(program.label)
    add(program.path)
    add(CollectionOfOne(program.file).compactMap(\.self)) { bytes, file in
      bytes.add(file.inode)
      bytes.add(file.birth)
    }
    add(CollectionOfOne(program.fileless).compactMap(\.self)) { bytes, fileless in
      bytes.add(fileless.process)
      bytes.add(fileless.parents)
    }
    add(CollectionOfOne(program.sandbox).compactMap(\.self)) { bytes, sandbox in
      bytes.add(sandbox.namespace)
      bytes.add(sandbox.process.pid)
      bytes.add(sandbox.process.startTime)
    }
    add(CollectionOfOne(program.folder).compactMap(\.self)) { bytes, folder in
      bytes.add(folder.path)
      bytes.add(folder.device)
      bytes.add(folder.inode)
    }
  }

  private mutating func add(_ evidence: Evidence) {
    add(evidence.process)
    add(evidence.program)
    for text in [evidence.interpreter, evidence.terminal, evidence.workingDirectory, evidence.doubt] {
      add(text)
    }
    add(evidence.chain) { $0.add($1) }
    add(evidence.isSandboxed ? 1 : 0)
    add(evidence.isUnreadable ? 1 : 0)
    add(CollectionOfOne(evidence.walled).compactMap(\.self)) { bytes, walled in
      bytes.add(walled.name)
      bytes.add(walled.process)
      bytes.add(walled.hasLeft ? 1 : 0)
      bytes.add(walled.hasNativeFolder ? 1 : 0)
    }
  }

  private mutating func add(_ process: ProcessIdentity?) {
    add(CollectionOfOne(process).compactMap(\.self)) { bytes, process in
      bytes.add(process.pid)
      bytes.add(process.startTime)
    }
  }

  private mutating func add(_ identity: IdentityCheck) {
    switch identity {
    case .inProcess: add("in process")
    case .asSeen: add("as seen")
    case .firstTime: add("first time")
    case .onlyDenied: add("only denied")
    case .replaced: add("replaced")
    case .fileless: add("fileless")
    case .lookAlike(let label):
      add("look-alike")
      add(label)
    case .mismatch(let seenBefore):
      add("mismatch")
      add(seenBefore)
    case .unknown: add("unknown")
    }
  }

  private mutating func add(_ lifetime: LifetimeChoice) {
    switch lifetime {
    case .once: add("once")
    case .process: add("process")
    case .session: add("session")
    case .forever: add("forever")
    case .duration(let duration):
      add("duration")
      add(duration.wholeMicroseconds)
    case .until(let moment):
      add("until")
      add(moment.microseconds)
    }
  }

  fileprivate mutating func add(_ confirmation: Confirmation) {
    add("confirmation")
    for text in [confirmation.title, confirmation.message, confirmation.action, confirmation.cancel] {
      add(text)
    }
    add(confirmation.isDestructive ? 1 : 0)
    add(confirmation.typedWord)
  }
}
