@testable import PermBroker
@testable import PermModel

/// Bytes from the bridge of another machine, or from what pretends to be one.
enum MachineInput {
  private static let id = String(repeating: "a", count: 32)

  static func take(_ bytes: [UInt8]) {
    guard let name = try? RemoteName("web1") else { fatalError("it is a name") }
    let machine = ConfiguredMachine(name: name, destination: SSHDestination(name))
    var messages = bytes.split(separator: 0, omittingEmptySubsequences: false)
    let first = Array(messages.removeFirst()) + [0]
    let now = Timestamp(microseconds: 1_790_000_000_000_000)
    let span = MachineHello.Span(sent: now, received: now)
    do throws(MachineFault) {
      if let hello = try MachineHello.read(first, in: span, version: "0.3.0") {
        precondition(MachineHello.isID(hello.id), "the id is none")
        checkWords(hello.host)
      }
    } catch {
      checkWords("\(error)")
    }
    follow(messages, machine)
  }

  /// Reads replies to `Attach`, and shows the alerts as a dashboard does.
  private static func follow(_ messages: [ArraySlice<UInt8>], _ machine: ConfiguredMachine) {
    var (boards, picture) = (MachineBoards(), ScreenPicture())
    boards.use([machine])
    boards.note(
      .answering(
        MachineHello(id: id, host: "w", version: "0.3.0", operatorName: nil, passes: .answers, skew: .zero)),
      of: machine)
    for (number, message) in messages.enumerated() {
      guard case .success((let reply, _))? = try? Replies.read(message, of: Methods.Attach.self),
        (try? reply.apply(to: &picture)) != nil
      else { continue }
      boards.take(picture, of: machine, at: .seconds(number))
      for shown in boards.picture(with: DashboardPicture()).shown { check(shown, boards) }
    }
  }

  /// Checks that what is read belongs to the machine, and that an answer would name what the machine has sent.
  private static func check(_ shown: DashboardPicture.Shown, _ boards: MachineBoards) {
    precondition(shown.alert.id.machine == id, "an alert has left its machine")
    guard let arrival = boards.arrival(shown.alert.id), arrival.read == shown.alert else {
      fatalError("an alert that is shown cannot be answered")
    }
    precondition(arrival.sent.id == shown.alert.id, "another alert would be answered")
    guard case .request(let request) = shown.alert.content, case .request(let sent) = arrival.sent.content
    else { return }
    precondition(request.severity >= sent.severity, "what a machine calls severe became less")
    precondition(request.request == sent.request && request.choices.count == sent.choices.count)
    for choice in request.choices.indices {
      for cover in request.covers.indices {
        precondition(
          request.atoms(choice: choice, cover: cover) == sent.atoms(choice: choice, cover: cover),
          "an answer would mean something else")
      }
    }
  }

  private static func checkWords(_ words: String) {
    precondition(
      words.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }, "not safe to print")
  }
}
