import Machine
import PermModel

@testable import PermTUI

/// The content of the pictures in the documentation.
enum Samples {
  static let here = "dashboard-1"

  static func moment(_ text: (day: Int, hour: Int, minute: Int, second: Int)) -> Timestamp {
    LocalTime(year: 2026, month: 10, day: text.day, hour: text.hour, minute: text.minute, second: text.second)
      .utcTimestamp ?? Story.start
  }

  static func today(_ hour: Int, _ minute: Int, _ second: Int = 0) -> Timestamp {
    moment((14, hour, minute, second))
  }

  static let capabilities = [
    capability("cloud", "Cloud", "the accounts of rclone", ["permissions"], asked: nil),
    capability("camera", "Camera", "/dev/video0", ["use"], asked: moment((11, 17, 40, 0))),
    capability("calendar", "Calendar", "Evolution's calendars", ["events, reminders"], asked: today(14, 0)),
    capability(
      "deploy", "deploy", "put a release on a server", ["use"], .severe, asked: moment((12, 9, 12, 0))),
    capability(
      "health", "Health", "steps and heart rates", ["share"], asked: nil,
      unavailability: Unavailability(
        reason: "no health folder is set", remedy: "set folder under [health] in config.toml")),
    capability(
      "location", "Location", "where this machine is", ["always", "when in use"], asked: today(14, 2)),
    capability(
      "photos", "Photos", "the pictures in ~/Pictures, 1 204 files", ["read", "add only"], asked: today(14, 3)
    ),
  ]

  static func capability(
    _ id: String, _ title: String, _ summary: String, _ parts: [String], _ severity: Severity = .moderate,
    asked: Timestamp?, unavailability: Unavailability? = nil
  ) -> CapabilityRow {
    CapabilityRow(
      id: id, title: title, summary: summary, action: "use your \(id)", severity: severity,
      unavailability: unavailability,
      choices: parts.map { RequirementChoice(atoms: [Atom(id, $0 == "use" ? Atom.whole : $0)], title: $0) },
      example: id == "deploy" ? nil : "look at the \(id)", lastAsked: asked)
  }

  static func decision(
    _ label: String, _ atom: Atom, _ verdict: Verdict = .allow, _ lifetime: Lifetime = .forever,
    origin: Origin = .dashboard(id: here), at moment: Timestamp = Samples.moment((12, 9, 12, 0))
  ) -> Decision {
    Decision(
      subject: Subject(label: label, path: "/home/ana/bin/\(label)"), atom: atom, verdict: verdict,
      lifetime: lifetime, origin: origin, decidedAt: moment)
  }

  static func news(
    _ label: String, _ capability: String, _ origin: Origin, isGone: Bool = false
  ) -> DecisionNews {
    DecisionNews(
      id: DecisionNews.ID(
        subject: Subject(label: label, path: "/home/ana/bin/\(label)"), capability: capability),
      origin: origin, at: Story.start + .seconds(1), isGone: isGone)
  }

  static func until(_ moment: Timestamp) -> Lifetime {
    .until(Deadline(wall: moment, bootID: "boot", bootTime: 0))
  }

  static let decisions = [
    decision("backup", Atom("photos", "read")),
    decision(
      "thumbs", Atom("photos", "read"), .allow, until(today(14, 5)), origin: .rule("cron"), at: today(14, 1)),
    decision("tracker", Atom("location", "when in use"), .allow, until(today(14, 24)), at: today(14, 2)),
    decision("reminders", Atom("calendar", "events, reminders")),
    decision("khal-sync", Atom("calendar", "events, reminders")),
    decision("release.sh", Atom("deploy")),
    decision("ci.sh", Atom("deploy"), .deny),
    decision("video-chat", Atom("camera"), .deny, until(today(15, 3)), at: today(14, 3)),
  ]

  static let waiting = [
    request("curl", "photos", today(14, 3)), request("report.py", "photos", today(13, 58)),
  ]

  static func request(
    _ label: String, _ capability: String, _ asked: Timestamp, reason: String? = nil,
    suggested: LifetimeChoice? = nil, evidence: Evidence? = nil,
    givesUpAt: Timestamp? = nil, atoms: Set<Atom>? = nil
  ) -> Request {
    Request(
      id: Request.ID("\(label)-\(capability)"), subject: Subject(label: label, path: evidence?.program),
      capability: capability,
      atoms: atoms ?? [Atom(capability)], reason: reason, suggestedLifetime: suggested, askedAt: asked,
      givesUpAt: givesUpAt,
      evidence: evidence)
  }

  static func item(_ request: Request) -> WaitingRow {
    WaitingRow(
      id: Alert.ID(request.id.text), request: request, askedAt: request.askedAt)
  }

  static var data: DashboardData { data(decisions: decisions, waiting: waiting.map(item)) }

  static func data(decisions: [Decision], waiting: [WaitingRow] = []) -> DashboardData {
    var data = DashboardData()
    data.capabilities = capabilities
    let rows = DecisionRow.rows(of: decisions)
    data.setDecisions(rows, in: .all, counts: DecisionCounts.of(rows))
    data.waiting = waiting
    data.connection = "listening"
    data.isLoaded = true
    data.isProbed = true
    return data
  }

  static let operations = [
    OperationRow(
      id: "1", category: OperationRow.screen, operation: "photos for backup", isHolding: true,
      since: today(14, 3, 5), why: ""),
    OperationRow(
      id: "2", category: OperationRow.screen, operation: "camera for video-chat", isHolding: false,
      since: today(14, 3, 7),
      why: "waits for the screen, held by “photos for backup” for 23 s"),
    OperationRow(
      id: "3", category: "album database", operation: "DeleteAlbums", isHolding: true, since: today(13, 58),
      why: ""),
  ]

  static let journal = [
    JournalRow(
      id: 4, at: today(14, 3, 10), kind: "denied", program: "video-chat", what: "camera",
      detail: "dashboard; not in this meeting"),
    JournalRow(
      id: 3, at: today(14, 3, 5), kind: "asked", program: "video-chat", what: "camera",
      detail: "the call with Bo"),
    JournalRow(
      id: 2, at: moment((12, 9, 12, 0)), kind: "allowed", program: "backup", what: "photos:read",
      detail: "command"),
    JournalRow(
      id: 1, at: moment((12, 9, 11, 58)), kind: "denied unasked", program: "ev\u{202e}il",
      what: "health:share=steps",
      detail: "12 times; muted"),
  ]

  // MARK: - Alerts

  static let evidence = Evidence(
    process: ProcessIdentity(pid: 4711, startTime: 1), program: "/home/ana/bin/backup.sh",
    interpreter: "bash",
    chain: ["tmux", "bash", "backup.sh"], terminal: "pts/3", workingDirectory: "/home/ana")

  static func alert(
    label: String = "backup", reason: String? = "weekly copy to the NAS",
    suggested: LifetimeChoice? = nil,
    evidence: Evidence? = Samples.evidence,
    severity: Severity = .moderate, identity: IdentityCheck = .asSeen
  ) -> Alert {
    let request = request(
      label, "photos", today(14, 3, 5), reason: reason, suggested: suggested, evidence: evidence,
      givesUpAt: today(14, 5, 5),
      atoms: [Atom("photos", "read")])
    let content = RequestAlert(
      request: request, title: "Photos", action: "read your photos",
      explanation: "All 1 204 files in ~/Pictures", severity: severity,
      choices: [
        RequirementChoice(atoms: [Atom("photos", "read")], title: "read"),
        RequirementChoice(atoms: [Atom("photos", "add-only")], title: "add only"),
      ], history: AnswerHistory(allowed: 3, denied: 0, last: moment((12, 9, 12, 0))), identity: identity,
      lifetimes: lifetimes)
    return Alert(id: Alert.ID(request.id.text), content: .request(content))
  }

  static let lifetimes = [
    LifetimeOffer(.once), LifetimeOffer(.process), LifetimeOffer(.session),
    LifetimeOffer(.duration(.seconds(600))), LifetimeOffer(.duration(.seconds(8 * 3600))),
    LifetimeOffer(.forever),
  ]

  /// An alert with text that would change the writing direction, hide itself, move the cursor, and overflow.
  static let hostileAlert = alert(
    label: "backup",
    reason:
      "\u{202e}kcatta\u{202c} \u{1b}[2J\u{7}za\u{335}\u{335}\u{335}\u{335}\u{335}\u{335}\u{335}lgo \u{200b}👨‍👩‍👧 日本語のとても長い理由 "
      + "and then    a very long story that goes on and on so that nobody reads its end, which says what it is about",
    suggested: .forever,
    evidence: Evidence(
      process: ProcessIdentity(pid: 666, startTime: 1),
      program: "/tmp/\u{1b}[31m/" + String(repeating: "deep/", count: 20) + "backup.sh",
      chain: ["sshd", "bash", "\u{2066}evil"], terminal: "pts/9", workingDirectory: "/tmp", isSandboxed: true),
    identity: .mismatch(seenBefore: "/home/ana/bin/backup.sh"))

  static let confirmation = Alert(
    id: Alert.ID("confirmation"),
    content: .confirmation(
      Confirmation(
        title: "Delete 12 albums?", message: "The pictures stay. The albums cannot be brought back.",
        action: "Delete",
        typedWord: nil)))

  static let notice = Alert(
    id: Alert.ID("notice"),
    content: .notice(Notice(title: "Copied", message: "1 204 pictures are on the NAS now.")))
}
