import PermModel

// The model as JSON for other programs. Every key is described in docs/cli.md. New keys can be added, but existing
// keys never change.

extension JSON {
  init(_ moment: Timestamp?) { self.init(moment.map(MomentArgument.format)) }

  init(_ origin: Origin?) { self.init(origin?.description) }

  init(_ subject: Subject) {
    self = [
      "label": .text(subject.label), "path": subject.isEveryone ? .null : JSON(subject.path),
      "pid": subject.fileless?.process.map { .integer(Int64($0.pid)) } ?? .null,
      "sandboxed": .boolean(subject.isSandboxed), "folder": JSON(subject.folder?.path),
    ]
  }

  /// Creates a sorted list of atoms, each in the form that commands accept.
  init(_ atoms: Set<Atom>, _ catalogue: CapabilityCatalogue) {
    self = .list(atoms.sorted().map { .text(catalogue.text($0)) })
  }

  init(_ lifetime: Lifetime) {
    switch lifetime {
    case .forever: self = ["kind": "forever"]
    case .session: self = ["kind": "session"]
    case .process(let process): self = ["kind": "process", "pid": .integer(Int64(process.pid))]
    case .until(let deadline): self = ["kind": "until", "until": JSON(deadline.wall)]
    }
  }

  init(_ choice: LifetimeChoice) {
    switch choice {
    case .once: self = ["kind": "once"]
    case .process: self = ["kind": "process"]
    case .session: self = ["kind": "session"]
    case .duration(let duration):
      self = ["kind": "duration", "seconds": .integer(duration.components.seconds)]
    case .until(let moment): self = ["kind": "until", "until": JSON(moment)]
    case .forever: self = ["kind": "forever"]
    }
  }

  init(_ decision: Decision, _ catalogue: CapabilityCatalogue) {
    self = [
      "by": JSON(decision.origin), "decided": JSON(decision.decidedAt), "lifetime": JSON(decision.lifetime),
      "last_used": JSON(decision.lastUsed), "note": JSON(decision.note), "program": JSON(decision.subject),
      "requirement": .text(catalogue.text(decision.atom)), "verdict": .text(decision.verdict.rawValue),
    ]
  }

  init(_ suspension: Suspension?) {
    self = suspension.map { ["by": JSON($0.origin), "since": JSON($0.since)] } ?? .null
  }

  init(_ availability: Availability) {
    switch availability {
    case .available(let found): self = ["available": true, "found": .text(found)]
    case .unavailable(let why):
      self = ["available": false, "reason": .text(why.reason), "remedy": .text(why.remedy)]
    }
  }

  init(_ entry: JournalEntry, _ catalogue: CapabilityCatalogue) {
    var members: [String: JSON] = [:]
    members["at"] = JSON(entry.at)
    members["by"] = JSON(entry.origin)
    members["capability"] = JSON(entry.capability)
    members["count"] = .integer(Int64(entry.count))
    members["id"] = .integer(entry.id)
    members["kind"] = .text(entry.kind.rawValue)
    members["last_at"] = JSON(entry.lastAt)
    members["program"] = entry.subject.map { JSON($0) } ?? .null
    members["request"] = JSON(entry.request?.text)
    members["requirement"] = JSON(entry.atoms, catalogue)
    members["text"] = JSON(entry.text)
    members["decision"] = JSON(entry.decision.map { catalogue.text($0.atom) })
    members["values"] = .list(entry.values.map { .text(catalogue.text($0)) })
    members["verdict"] = JSON(entry.verdict?.rawValue)
    members["change"] = entry.change.map { .integer($0) } ?? .null
    members["before"] = entry.before.map { JSON($0, catalogue) } ?? .null
    members["after"] = entry.after.map { JSON($0, catalogue) } ?? .null
    self = .object(members)
  }
}
