import PermModel

/// The programs of the demo, and the decisions made about them before the story begins.
struct DemoCast: Sendable {
  let reminders: DemoProgram
  let photoImport: DemoProgram
  let fitness: DemoProgram
  let tracker: DemoProgram
  /// A program that calls itself `backup`, but is not the file that was allowed under that name.
  let impostor: DemoProgram
  let cleanUp: DemoProgram
  let videoChat: DemoProgram
  let thumbs: DemoProgram
  let invite: DemoProgram
  /// An agent, whose decisions hold only in the folder in which it began.
  let agent: DemoProgram
  /// A script that reads a file through a link.
  let report: DemoProgram
  private let backup: DemoProgram
  private let calendarSync: DemoProgram

  init(on machine: DemoMachine) throws(DemoError) {
    reminders = try machine.install("reminders", at: "ana/bin/reminders.sh")
    photoImport = try machine.install("photo-import", at: "ana/bin/photo-import.sh")
    fitness = try machine.install("fitness", at: "ana/bin/fitness.sh")
    tracker = try machine.install("tracker", at: "ana/bin/tracker.sh")
    impostor = try machine.install("backup", at: "tmp/.cache/backup")
    cleanUp = try machine.install("clean-up", at: "ana/bin/clean-up.sh")
    videoChat = try machine.install("video-chat", at: "ana/bin/video-chat.sh")
    thumbs = try machine.install("thumbs", at: "ana/bin/thumbs.sh")
    invite = try machine.install("invite", at: "ana/bin/invite.sh")
    report = try machine.install("report.ts", at: "ana/src/app/report.ts")
    agent = try machine.install("claude", at: "ana/bin/claude").inFolder(machine.project)
    backup = try machine.install("backup", at: "ana/bin/backup.sh")
    calendarSync = try machine.install("khal-sync", at: "ana/bin/khal-sync.sh")
  }

  /// Stores the decisions that were made before the story begins.
  func stock(_ store: any PermissionStore) throws(StoreError) {
    for (program, verdict, atoms) in [
      (backup, Verdict.allow, Capability.Photos(.read).requirement.atoms),
      (thumbs, .allow, Capability.Photos(.read).requirement.atoms),
      (thumbs, .allow, Capability.Notifications(.alert).requirement.atoms),
      (calendarSync, .allow, Capability.Calendar(.events).requirement.atoms),
      (invite, .deny, Capability.Contacts(.read).requirement.atoms),
    ] {
      try store.decide(Ruling(verdict, subject: program.subject, atoms: atoms), by: .commandLine)
    }
  }

  /// Allows the tracker to know the location while the tracker is in use. The decision ends after `time`.
  func allowTracker(for time: Duration, _ store: any PermissionStore) throws(StoreError) {
    let atoms = Capability.Location(.whenInUse).requirement.atoms
    let ruling = Ruling(.allow, subject: tracker.subject, atoms: atoms, lifetime: .duration(time))
    try store.decide(ruling, by: .rule("demo"))
  }
}
