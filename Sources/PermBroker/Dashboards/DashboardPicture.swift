package import PermModel

/// The alerts of one dashboard, whichever board they come from.
package struct DashboardPicture: Hashable, Sendable {
  /// Identifies an alert each time it comes up.
  package struct Turn: Hashable, Sendable {
    /// The board: 0 for the one in this process, and a number that rises with each broker elsewhere.
    var board: Int
    var number: Int

    /// The number of the boards of all other machines, whose alerts are counted together.
    static let otherMachines = -1

    package init(board: Int = 0, number: Int) { (self.board, self.number) = (board, number) }
  }

  /// An alert that can be read.
  package struct Shown: Hashable, Sendable {
    package var turn: Turn
    package var alert: Alert
    /// Whether a broker waits for the answer. Otherwise, the one that did has gone, and an answer has no effect until the
    /// next one shows the same alert.
    package var isBacked: Bool

    package init(_ alert: Alert, _ turn: Turn, isBacked: Bool = true) {
      (self.alert, self.turn, self.isBacked) = (alert, turn, isBacked)
    }
  }

  package var shown: [Shown] = []
  /// The alerts that were set aside here, in that order.
  package var aside: [Alert] = []
  /// The other machines of the person, in the order of the configuration.
  package var machines: [ShownMachine] = []

  package init() {}

  /// Creates the picture of a dashboard that shows only the board of its own process.
  package init(_ own: ScreenPicture) { add(own, from: 0) }

  fileprivate mutating func add(_ picture: ScreenPicture, from board: Int) {
    shown += picture.shown.map { Shown($0.alert, Turn(board: board, number: $0.number)) }
    // A thousand alerts can be aside, usually all of one board.
    aside = aside.isEmpty ? picture.aside : aside + picture.aside
  }
}

/// The boards that a dashboard shows: the one in its own process, that of the broker it is attached to, and what a broker
/// has left behind that went away.
struct ShownBoards: Sendable {
  /// The board that an alert is at.
  enum Place {
    case own, elsewhere, left
  }

  private var own = ScreenPicture()
  private var elsewhere: ScreenPicture?
  /// The alerts of a broker that has gone. They stay to be read until the next broker shows them, or shows other ones.
  private var left: [DashboardPicture.Shown] = []
  /// The number of brokers elsewhere so far.
  private var attachments = 0

  /// Takes the picture of the board in this process.
  mutating func take(own picture: ScreenPicture) {
    own = picture
    forgetLeft { id in picture.shown.contains { $0.alert.id == id } }
  }

  /// Takes the picture of the board of a broker elsewhere.
  mutating func take(elsewhere picture: ScreenPicture) {
    if elsewhere == nil { attachments += 1 }
    elsewhere = picture
    forgetLeft { id in picture.shown.contains { $0.alert.id == id } }
  }

  /// Notes that the broker elsewhere has gone.
  ///
  /// - Parameter staysReadable: Whether its alerts stay to be read until ``forgetLeft(behind:)``.
  /// - Returns: The number of that broker.
  @discardableResult
  mutating func lose(staysReadable: Bool) -> Int {
    if staysReadable { left += there.shown }
    for index in left.indices { left[index].isBacked = false }
    elsewhere = nil
    return attachments
  }

  /// Forgets what a broker has left behind, unless another one has gone since.
  mutating func forgetLeft(behind number: Int) {
    if number == attachments { left = [] }
  }

  /// Forgets alerts that a broker has left behind, because they are shown again, or because the person has closed them.
  mutating func forgetLeft(_ isOver: (Alert.ID) -> Bool) { left.removeAll { isOver($0.alert.id) } }

  var picture: DashboardPicture {
    var picture = DashboardPicture(own)
    if let elsewhere { picture.add(elsewhere, from: attachments) }
    picture.shown += left
    return picture
  }

  private var there: DashboardPicture {
    var picture = DashboardPicture()
    if let elsewhere { picture.add(elsewhere, from: attachments) }
    return picture
  }

  func place(of alert: Alert.ID) -> Place? {
    let isIn = { (picture: DashboardPicture) in
      picture.shown.contains { $0.alert.id == alert } || picture.aside.contains { $0.id == alert }
    }
    if isIn(DashboardPicture(own)) { return .own }
    if isIn(there) { return .elsewhere }
    return left.contains { $0.alert.id == alert } ? .left : nil
  }
}
