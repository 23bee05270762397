import PermModel
import Testing

@testable import PermBroker

@Suite("Machines take turns")
struct MachineBoardsTests {
  private static func machine(_ number: Int) -> ConfiguredMachine {
    guard let name = try? RemoteName("web\(number)") else { preconditionFailure("it is a name") }
    return ConfiguredMachine(name: name, destination: SSHDestination(name))
  }

  private static func hello(_ number: Int) -> MachineHello {
    let digits = String(number)
    return MachineHello(
      id: String(repeating: "0", count: 32 - digits.count) + digits, host: "w", version: "1",
      operatorName: nil,
      passes: .answers, skew: .zero)
  }

  private static func alert(_ id: String, _ title: String = "t") -> Alert {
    Alert(id: Alert.ID(id), content: .notice(Notice(title: title)))
  }

  private static func picture(_ id: String?, number: Int = 1, _ title: String = "t") -> ScreenPicture {
    var picture = ScreenPicture()
    picture.shown = id.map { [.init(alert($0, title), number: number)] } ?? []
    return picture
  }

  private static func boards(_ count: Int) -> MachineBoards {
    var boards = MachineBoards()
    boards.use((0..<count).map(machine))
    for number in 0..<count { boards.note(.answering(hello(number)), of: machine(number)) }
    return boards
  }

  private static var own: DashboardPicture {
    var own = ScreenPicture()
    own.shown = [.init(alert("own"), number: 1)]
    return DashboardPicture(own)
  }

  private func ids(_ boards: MachineBoards, _ own: DashboardPicture = DashboardPicture()) -> [String] {
    boards.picture(with: own).shown.map(\.alert.id.text)
  }

  @Test("The one that was answered last comes last, also this machine")
  func turns() {
    var boards = Self.boards(2)
    boards.take(Self.picture("a1"), of: Self.machine(0), at: .zero)
    boards.take(Self.picture("b1"), of: Self.machine(1), at: .zero)
    #expect(ids(boards, Self.own) == ["own", "a1", "b1"])
    boards.noteTurn(of: "")
    #expect(ids(boards, Self.own) == ["a1", "b1", "own"])
    boards.noteTurn(of: Self.hello(0).id)
    boards.take(Self.picture("a2", number: 2), of: Self.machine(0), at: .zero)
    #expect(ids(boards, Self.own) == ["b1", "own", "a2"])
  }

  @Test("A flood of one machine delays the alerts of another by one, and is held back after its burst")
  func flood() {
    var boards = Self.boards(2)
    var (seen, now) = ([String](), Duration.zero)
    for number in 0..<1_000 {
      boards.take(Self.picture("a\(number)", number: number), of: Self.machine(0), at: now)
      if number == 3 { boards.take(Self.picture("b"), of: Self.machine(1), at: now) }
      guard let first = boards.picture(with: DashboardPicture()).shown.first else { continue }
      seen.append(first.alert.id.text)
      boards.noteTurn(of: first.alert.id.machine)
      if first.alert.id.text == "b" { boards.take(Self.picture(nil), of: Self.machine(1), at: now) }
    }
    // It came beside the fourth of the flood, which was the first that had not been answered.
    #expect(seen == ["a0", "a1", "a2", "b", "a4"])
    let wait = boards.wait(at: now)
    #expect(wait != nil && boards.picture(with: DashboardPicture()).machines[0].heldCount == 1)
    now += .seconds(10)
    boards.admit(at: now)
    #expect(ids(boards) == ["a999"])
  }

  @Test("An alert that was changed is another one, and takes another token")
  func changed() {
    var boards = Self.boards(1)
    boards.take(Self.picture("a", "harmless"), of: Self.machine(0), at: .zero)
    let first = boards.picture(with: DashboardPicture()).shown[0]
    // The machine says that it is the same.
    boards.take(Self.picture("a", "other"), of: Self.machine(0), at: .zero)
    let second = boards.picture(with: DashboardPicture()).shown[0]
    #expect(first.turn != second.turn && first.alert.digest != second.alert.digest)
    for title in 0..<9 { boards.take(Self.picture("a", "\(title)"), of: Self.machine(0), at: .zero) }
    #expect(ids(boards).isEmpty)
  }

  @Test("The times of a machine are told by this machine's clock, and its digests stay as they were sent")
  func clock() throws {
    var boards = MachineBoards()
    boards.use([Self.machine(0)])
    var hello = Self.hello(0)
    hello.skew = .milliseconds(29_600)
    boards.note(.answering(hello), of: Self.machine(0))
    let sent = WaitingListTests.pending(1)
    var (list, picture) = (WaitingList(), ScreenPicture())
    (list.requests, list.total) = ([sent], 1)
    picture.shown = [.init(sent.alert, number: 1)]
    boards.take(list, of: Self.machine(0))
    boards.take(picture, of: Self.machine(0), at: .zero)
    let shown = boards.picture(with: DashboardPicture())
    guard case .request(let alert)? = shown.shown.first?.alert.content else { throw CancellationError() }
    let listed = try #require(shown.machines[0].waiting.requests.first)
    for request in [alert.request, listed.request, listed.waiting.request] {
      #expect(request.askedAt == Timestamp(seconds: 970) && request.givesUpAt == Timestamp(seconds: 1_030))
    }
    #expect(listed.alert == shown.shown[0].alert)
    let known = try #require(boards.request(listed.alertID))
    #expect(known.sent.digest == sent.digest && known.read.digest != sent.digest)
    #expect(boards.request(Alert.ID(listed.alertID.text)) == nil)
  }

  @Test("In 100 000 steps of showing, withdrawing, answering and cutting, no answer goes to another machine")
  func random() throws {
    var (boards, random) = (Self.boards(5), Steps(state: 7))
    var (number, now) = (0, Duration.zero)
    var (there, answered) = ([String?](repeating: nil, count: 5), Set<String>())
    for _ in 0..<100_000 {
      let place = Int.random(in: 0..<5, using: &random)
      let machine = Self.machine(place)
      now += .milliseconds(Int.random(in: 0...4_000, using: &random))
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        number += 1
        // All machines use the same ids, as a hostile one might.
        there[place] = "m\(place) \(number)"
        boards.take(Self.picture("same", number: number, there[place] ?? ""), of: machine, at: now)
      case 1:
        there[place] = nil
        boards.take(ScreenPicture(), of: machine, at: now)
      case 2:
        boards.note(.out(.silent(seconds: 1)), of: machine)
        there[place] = nil
      case 3:
        boards.note(.answering(Self.hello(place)), of: machine)
        boards.forgetLeft(of: machine)
      default:
        boards.admit(at: now)
        guard let shown = boards.picture(with: DashboardPicture()).shown.first(where: \.isBacked) else {
          continue
        }
        let arrival = try #require(boards.arrival(shown.alert.id))
        guard case .notice(let notice) = arrival.sent.content else { continue }
        let owner = try #require(boards.place(of: shown.alert.id.machine))
        #expect(notice.title.hasPrefix("m\(owner.machine.name.text.dropFirst(3)) "))
        #expect(arrival.read == shown.alert && answered.insert(notice.title).inserted)
        boards.noteTurn(of: shown.alert.id.machine)
        boards.take(ScreenPicture(), of: owner.machine, at: now)
      }
    }
    #expect(answered.count > 1_000)
  }
}
