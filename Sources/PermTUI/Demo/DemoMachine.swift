import Machine
import PermModel

/// A simulated machine in a temporary folder, with pictures, calendars, accounts and programs for the demo.
///
/// The real probes of the capabilities examine this machine, and the capabilities' examples do real work in the folder.
final class DemoMachine: Sendable {
  let folder: String
  let probes: ProbeEnvironment

  /// - Throws: ``DemoError`` if the folder cannot be made or filled.
  init() throws(DemoError) {
    do {
      folder = try Folder.makeTemporary(named: "permtui")
    } catch {
      throw .noFolder(error)
    }
    var probes = ProbeEnvironment(root: folder, home: "\(folder)/ana")
    probes.healthFolder = "\(probes.home)/health"
    self.probes = probes
    try furnish()
  }

  func remove() { Folder.removeTree(folder) }

  private func furnish() throws(DemoError) {
    for number in 1...48 { try write("", to: "\(probes.pictures)/picture-\(number).jpg") }
    try write(Self.reminder, to: "\(probes.dataHome)/calendars/home/call.ics")
    try write("[nas]\ntype = sftp\n", to: "\(probes.configHome)/rclone/rclone.conf")
    try write("day,count\n2026-11-19,8214\n2026-11-20,10377\n", to: "\(probes.home)/health/steps.csv")
    try write("day,rate\n2026-11-20,61\n", to: "\(probes.home)/health/heart.csv")
    try write("BEGIN:VCARD\nFN:Bo\nEND:VCARD\n", to: "\(probes.dataHome)/contacts/friends/bo.vcf")
    try write("", to: "\(probes.devices)/video0")
    try write("Webcam\n", to: "\(probes.system)/class/video4linux/video0/name")
    try write("", to: "\(probes.devices)/snd/pcmC0D0c")
    try write("Webcam\n", to: "\(probes.processes)/asound/card0/id")
    try write("quarter,tax\n1,410\n2,395\n3,460\n", to: "\(folder)/srv/private/2026/taxes.csv")
    try link("\(project)/\(Self.linkedTable)", to: "\(folder)/srv/private/2026/taxes.csv")
    for number in 1...2 { try write("", to: "\(probes.passFolder)/concert-\(number).pkpass") }
    try offer("org.freedesktop.GeoClue2", in: probes.systemServices)
    try offer("org.freedesktop.Notifications", in: probes.sessionServices)
  }

  /// Makes a service of the message bus appear to be installed.
  private func offer(_ service: String, in folders: [String]) throws(DemoError) {
    for folder in folders {
      try write("[D-BUS Service]\nName=\(service)\n", to: "\(folder)/\(service).service")
    }
  }

  private static let reminder = """
    BEGIN:VCALENDAR\r
    VERSION:2.0\r
    PRODID:-//PermTUI//demo//EN\r
    BEGIN:VTODO\r
    UID:demo-1\r
    SUMMARY:Call the dentist\r
    DUE:20991224T150000Z\r
    END:VTODO\r
    END:VCALENDAR\r

    """
}

extension DemoMachine {
  /// Installs a program and starts it, so that it is identified by its file and its process like any other program.
  func install(_ label: String, at path: String) throws(DemoError) -> DemoProgram {
    let path = "\(folder)/\(path)"
    try write("#!/bin/bash\nread -r _\n", to: path)
    guard let file = FileIdentity(ofFileAt: path) else { throw .cannotWrite(SystemError("write", path)) }
    let process: PlaceholderProcess
    do throws(SystemError) { process = try PlaceholderProcess(["bash", path]) } catch {
      throw .cannotStart(error)
    }
    let identity = ProcessIdentity(
      pid: process.process, startTime: ProcessStat(of: process.process)?.startTime ?? 0)
    let evidence = Evidence(
      process: identity, program: path, interpreter: "bash",
      chain: ["tmux", "bash", path.lastPathPart], workingDirectory: probes.home)
    return DemoProgram(subject: Subject(label: label, path: path, file: file), evidence: evidence, process)
  }

  /// A link in the project that leads out of it.
  static let linkedTable = "data/latest.csv"

  private func link(_ path: String, to target: String) throws(DemoError) {
    do {
      try Folder.make(path.folderOfPath)
      try Files.makeLink(path, to: target)
    } catch {
      throw .cannotWrite(error)
    }
  }

  /// The folder in which the agent works.
  var project: String { "\(probes.home)/src/app" }

  private func write(_ text: String, to path: String) throws(DemoError) {
    do {
      try Folder.make(path.folderOfPath)
      try Files.overwrite(path, text: text)
    } catch {
      throw .cannotWrite(error)
    }
  }
}

/// A program of the demo. Its process only waits; its part in the story is played by the demo.
struct DemoProgram: Sendable {
  private(set) var subject: Subject
  private(set) var evidence: Evidence
  private let process: PlaceholderProcess

  init(subject: Subject, evidence: Evidence, _ process: PlaceholderProcess) {
    self.subject = subject
    self.evidence = evidence
    self.process = process
  }

  /// Returns the same program as an agent that began in a folder.
  func inFolder(_ path: String) -> DemoProgram {
    var agent = self
    agent.subject.folder = ProgramFolder(
      path: path, device: 0, inode: FileIdentity(ofFileAt: path)?.inode ?? 0)
    agent.evidence.workingDirectory = path
    return agent
  }
}

/// A reason why the demo cannot be set up.
enum DemoError: Error, CustomStringConvertible {
  case noFolder(SystemError)
  case cannotWrite(SystemError)
  case cannotStart(SystemError)

  var description: String {
    switch self {
    case .noFolder(let error): "the demo needs a folder under /tmp and cannot make one: \(error.reason)"
    case .cannotStart(let error): "the demo cannot start \(error.path ?? "bash"): \(error.reason)"
    case .cannotWrite(let error): "the demo cannot write \(error.path ?? ""): \(error.reason)"
    }
  }
}
