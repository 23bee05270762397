import PermModel
import Testing

@testable import PermBroker

/// The alerts of a dashboard while brokers come and go.
@Suite("A dashboard between two brokers")
struct ShownBoardsTests {
  private func alert(_ id: String, _ title: String = "harmless") -> Alert {
    Alert(id: Alert.ID(id), content: .notice(Notice(title: title)))
  }

  private func picture(_ alerts: Alert..., number: Int = 1) -> ScreenPicture {
    var picture = ScreenPicture()
    picture.shown = alerts.enumerated().map { .init($1, number: number + $0) }
    return picture
  }

  @Test("shows the alerts of its own board and those of the broker that it is attached to")
  func both() {
    var boards = ShownBoards()
    boards.take(own: picture(alert("own")))
    boards.take(elsewhere: picture(alert("elsewhere")))
    #expect(boards.picture.shown.map(\.alert.id.text) == ["own", "elsewhere"])
    #expect(Set(boards.picture.shown.map(\.turn)).count == 2)
    #expect(boards.place(of: Alert.ID("own")) == .own)
    #expect(boards.place(of: Alert.ID("elsewhere")) == .elsewhere)
    #expect(boards.place(of: Alert.ID("nobody's")) == nil)
  }

  @Test("leaves the alerts of the one that has gone to be read, and says that nobody waits for an answer")
  func left() {
    var boards = ShownBoards()
    boards.take(elsewhere: picture(alert("a")))
    let turn = boards.picture.shown[0].turn
    let number = boards.lose(staysReadable: true)
    #expect(boards.picture.shown == [.init(alert("a"), turn, isBacked: false)])
    #expect(boards.place(of: Alert.ID("a")) == .left)
    boards.forgetLeft(behind: number)
    #expect(boards.picture == DashboardPicture())
  }

  @Test("goes on with the alert that the next one shows, here or elsewhere", arguments: [true, false])
  func next(isHere: Bool) {
    var boards = ShownBoards()
    boards.take(elsewhere: picture(alert("a"), alert("b")))
    let number = boards.lose(staysReadable: true)
    if isHere {
      boards.take(own: picture(alert("a"), number: 7))
    } else {
      boards.take(elsewhere: ScreenPicture())
      boards.take(elsewhere: picture(alert("a"), number: 7))
    }
    let shown = boards.picture.shown
    #expect(shown.map(\.alert.id.text) == ["a", "b"] && shown.map(\.isBacked) == [true, false])
    boards.forgetLeft(behind: number)
    #expect(boards.picture.shown.count { $0.isBacked } == 1)
    // An alert that the next broker has shown and withdrawn does not come back as one that was left.
    if isHere { boards.take(own: ScreenPicture()) } else { boards.take(elsewhere: ScreenPicture()) }
    #expect(boards.place(of: Alert.ID("a")) == nil)
  }

  @Test("shows what the next one asks instead of another alert of the same id that was left")
  func another() {
    var boards = ShownBoards()
    boards.take(elsewhere: picture(alert("a")))
    boards.lose(staysReadable: true)
    boards.take(own: picture(alert("a", "evil")))
    #expect(boards.picture.shown.map(\.alert) == [alert("a", "evil")])
  }

  @Test("keeps what was left until the latest of several that have gone is forgotten")
  func latest() {
    var boards = ShownBoards()
    boards.take(elsewhere: picture(alert("a")))
    let first = boards.lose(staysReadable: true)
    boards.take(elsewhere: picture(alert("b")))
    let second = boards.lose(staysReadable: true)
    boards.forgetLeft(behind: first)
    #expect(boards.picture.shown.map(\.alert.id.text) == ["a", "b"])
    #expect(boards.picture.shown.allSatisfy { !$0.isBacked })
    boards.forgetLeft(behind: second)
    #expect(boards.picture.shown.isEmpty)
  }

  @Test("leaves nothing if it leaves by itself, and forgets what the person has closed")
  func closed() {
    var boards = ShownBoards()
    boards.take(elsewhere: picture(alert("a")))
    boards.lose(staysReadable: false)
    #expect(boards.picture.shown.isEmpty)
    boards.take(elsewhere: picture(alert("a"), alert("b")))
    boards.lose(staysReadable: true)
    boards.forgetLeft { $0 == Alert.ID("a") }
    #expect(boards.picture.shown.map(\.alert.id.text) == ["b"])
  }
}

@Suite("The change of a picture on the wire")
struct PictureChangeTests {
  private func alert(_ id: Int, _ version: Int) -> Alert {
    Alert(id: Alert.ID("\(id)"), content: .notice(Notice(title: "\(version)")))
  }

  /// Returns a picture after some random steps of a board: alerts come up, change, are set aside, and go.
  private func step(
    _ picture: inout ScreenPicture, _ number: inout Int, _ random: inout some RandomNumberGenerator
  ) {
    number += 1
    let first = picture.shown.first
    switch Int.random(in: 0..<5, using: &random) {
    case 0 where picture.shown.count < 2: picture.shown.append(.init(alert(number, 0), number: number))
    case 1: if let first { picture.shown[0] = .init(first.alert, number: number) }
    case 2:
      if let first {
        picture.shown[0].alert = Alert(id: first.alert.id, content: .notice(Notice(title: "\(number)")))
        picture.shown[0].number = number
      }
    case 3:
      if let first {
        picture.shown.removeFirst()
        picture.aside.append(first.alert)
      }
    default:
      if Bool.random(using: &random) { picture.shown = Array(picture.shown.dropFirst()) }
      picture.aside = Array(picture.aside.dropFirst(Int.random(in: 0...1, using: &random)))
    }
  }

  @Test("leads from each picture to the next, whatever comes in between, and is empty if nothing has changed")
  func random() throws {
    for seed in 1...200 {
      var random = Steps(state: UInt64(seed))
      var (now, received, number) = (ScreenPicture(), ScreenPicture(), 0)
      for _ in 0..<40 {
        let old = now
        step(&now, &number, &random)
        let change = Methods.Attach.Reply(from: old, to: now)
        if old == now { #expect(change == .init()) }
        let sent = try WireCoding.decode(
          Methods.Attach.Reply.self, from: try WireCoding.encode(change).dropLast())
        try sent.apply(to: &received)
        #expect(Set(received.shown) == Set(now.shown) && Set(received.aside) == Set(now.aside))
      }
    }
  }
}
