import Machine
import PermModel

@testable import PermTUI

/// The waiting requests in the pictures of lists, and of questions about several requests.
extension Samples {
  /// Requests with reasons and ends. Two of them are of one program.
  static let queue = [
    request(
      "curl", "photos", today(14, 3), reason: "fetch the album of the last holidays",
      givesUpAt: today(14, 5), atoms: [Atom("photos", "add only")]),
    request(
      "report.py", "photos", today(13, 58), reason: "count the pictures of the year",
      givesUpAt: today(14, 20), atoms: [Atom("photos", "read")]),
    request(
      "curl", "location", today(14, 3, 10), reason: "sort them by the way home", givesUpAt: today(14, 6),
      atoms: [Atom("location", "when in use")]),
  ]

  /// A request that can only be allowed on its own, because it has details.
  static let detailed = Request(
    id: Request.ID("backup-cloud"), subject: Subject(label: "backup", path: evidence.program),
    capability: "cloud", atoms: [Atom("cloud", "permissions")], reason: "share the weekly copy with Bo",
    askedAt: today(14, 3, 20), givesUpAt: today(14, 10), evidence: evidence,
    details: ShownDetails("+ bo: read\n"))

  /// Complete data with these requests waiting.
  static func data(waiting requests: [Request]) -> DashboardData {
    data(decisions: decisions, waiting: requests.map(item))
  }

  /// Capabilities that this machine does not have.
  static func absent(_ names: [String]) -> [CapabilityRow] {
    names.map { name in
      capability(
        name, name.prefix(1).uppercased() + name.dropFirst(), "it", ["use"], asked: nil,
        unavailability: Unavailability(reason: "no \(name) is there", remedy: "buy one"))
    }
  }

  /// A long list on a machine that lacks most capabilities, for some of which there are decisions. They come last.
  static var lacking: DashboardData {
    let decided = [
      "calendar": "no calendar is stored on this machine", "camera": "no camera is there",
      "contacts": "no address book is stored on this machine", "location": "GeoClue is not installed",
      "microphone": "no microphone is there", "photos": "no pictures folder",
    ]
    let undecided = [
      "cloud": "no cloud account is configured", "health": "no health folder is set",
      "notifications": "no notification service is installed", "passbook": "no folder of passes",
    ]
    var data = data(decisions: decided.keys.sorted().map { decision("backup", Atom($0, Atom.whole)) })
    let there = ["code", "commands", "environment", "files", "keys", "network", "system", "tools"]
    data.capabilities = (there + decided.keys.sorted() + undecided.keys.sorted()).map { name in
      let reason = decided[name] ?? undecided[name]
      return capability(
        name, name.prefix(1).uppercased() + name.dropFirst(), "The \(name) of this machine", ["use"],
        asked: nil,
        unavailability: reason.map { Unavailability(reason: $0, remedy: "install it") })
    }
    return data
  }

  /// The data at the first start: nothing was ever asked for, and some capabilities are not on this machine.
  static var firstStart: DashboardData {
    var data = data(decisions: [])
    for place in data.capabilities.indices { data.capabilities[place].lastAsked = nil }
    data.capabilities += absent(["radar", "sonar"])
    return data
  }

  /// The notice at the end of the demo.
  static let storyOver = Alert(
    id: Alert.ID("over"),
    content: .notice(
      Notice(
        title: "The story is over",
        message: """
          \(DemoSession.nextSteps)

          reminders     ran      Two are due: water the plants, call Bo.
          photo-import  did not  photos not allowed, so cloud was never asked
          fitness       did not  neither steps nor heart rate is allowed
          backup        ran      1 204 pictures, the newest: beach.jpg
          clean-up      ran      Deleted 12 albums (not really).
          video-chat    did not  camera not allowed, so microphone was never asked
          claude        ran      Ran the tests, and changed a file.
          report.ts     did not  the file that the link leads to was not allowed
          thumbs        ran      Was allowed before, so nobody was asked. 1 204 pictures, the newest: beach.jpg
          invite        ran      It may not read your contacts, so it used its own list, and nobody was asked.
          tracker       did not  location:when in use is undecided
          """)))
}
