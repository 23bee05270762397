import PermModel

extension Wire {
  struct LifetimeChoice: Codable, Hashable, Sendable {
    enum Kind: String, Codable, Sendable, CaseIterable {
      case once, process, session, duration, until, forever
    }
    var kind: Kind
    var milliseconds: Int64?
    var until: Int64?
  }

  struct Lifetime: Codable, Hashable, Sendable {
    enum Kind: String, Codable, Sendable, CaseIterable { case process, session, until, forever }
    var kind: Kind
    var pid: Int32?
    var started: Int64?
    var session: String?
    var until: Int64?
    var boot: String?
    var uptime: Int64?
  }
}

extension Wire.LifetimeChoice {
  init(_ choice: LifetimeChoice) {
    switch choice {
    case .once: self.init(kind: .once)
    case .process: self.init(kind: .process)
    case .session: self.init(kind: .session)
    case .duration(let duration): self.init(kind: .duration, milliseconds: duration.wholeMilliseconds)
    case .until(let moment): self.init(kind: .until, until: moment.microseconds)
    case .forever: self.init(kind: .forever)
    }
  }

  /// - Throws: ``BrokerError/invalid(parameter:reason:)`` if the number that this kind of lifetime needs is missing, or
  ///   if a duration is zero, negative or too long.
  func choice() throws(BrokerError) -> LifetimeChoice {
    switch kind {
    case .once: return .once
    case .process: return .process
    case .session: return .session
    case .forever: return .forever
    case .duration:
      guard let milliseconds, milliseconds > 0 else {
        throw .invalid(parameter: "lifetime", reason: "a duration needs milliseconds above zero")
      }
      guard .milliseconds(milliseconds) <= LifetimeChoice.longest else {
        throw .invalid(parameter: "lifetime", reason: "a duration of more than 100 years must be forever")
      }
      return .duration(.milliseconds(milliseconds))
    case .until:
      guard let until else { throw .invalid(parameter: "lifetime", reason: "until needs a moment") }
      return .until(Timestamp(microseconds: until))
    }
  }
}

extension Wire.Lifetime {
  init(_ lifetime: Lifetime) {
    switch lifetime {
    case .process(let process):
      self.init(kind: .process, pid: process.pid, started: Int64(bitPattern: process.startTime))
    case .session(let id): self.init(kind: .session, session: id)
    case .until(let deadline):
      self.init(
        kind: .until, until: deadline.wall.microseconds, boot: deadline.bootID, uptime: deadline.bootTime)
    case .forever: self.init(kind: .forever)
    }
  }

  var lifetime: Lifetime {
    switch kind {
    case .process:
      .process(ProcessIdentity(pid: pid ?? 0, startTime: UInt64(bitPattern: started ?? 0)))
    case .session: .session(session ?? "")
    case .until:
      .until(
        Deadline(
          wall: Timestamp(microseconds: until ?? 0), bootID: boot ?? "", bootTime: uptime ?? 0))
    case .forever: .forever
    }
  }
}

extension Duration {
  /// The duration in milliseconds, rounded towards zero.
  package var wholeMilliseconds: Int64 { wholeMicroseconds / 1000 }
}
