import PermModel

/// The alerts of other machines at one dashboard: whose turn it is, and which are held back.
///
/// Machines take turns with each other and with this machine. The one that was answered last comes last. Each has a
/// token bucket of its own, because a hostile machine has no limits but these.
struct MachineBoards: Sendable {
  /// An alert that came up at a machine.
  struct Arrival: Hashable, Sendable {
    /// A number that is new each time an alert comes up, or comes up changed, at whichever machine.
    var number: Int
    /// The alert as the machine has sent it, under an id that names the machine.
    var sent: Alert
    /// The alert as the person reads it.
    var read: Alert
    var isAdmitted = false
  }

  /// The state of one machine.
  struct Place: Sendable {
    let machine: ConfiguredMachine
    var standing = ShownMachine.Standing.connecting
    fileprivate(set) var arrivals: [Arrival] = []
    fileprivate var aside: [Alert] = []
    /// The requests that wait there, as the machine has sent them, under ids that name the machine.
    fileprivate var sent: [PendingRequest] = []
    /// The same requests, as the person reads them.
    fileprivate(set) var waiting = WaitingList()
    /// Whether the arrivals are those of an earlier connection, which the machine has not shown again.
    fileprivate var isLeft = false
    fileprivate var bucket = TokenBucket()
    fileprivate var lastTurn = 0
  }

  /// The rate at which a machine can show alerts.
  static let rate = TokenBucket.Rate(burst: 5, interval: .seconds(10))

  private(set) var places: [Place] = []
  private var numbers = 0
  private var turns = 0
  /// The number of the turn in which an alert of this machine was answered last.
  private var lastOwnTurn = 0

  init() {}

  func place(of machine: String) -> Place? { places.first { $0.id == machine } }

  // MARK: Machines

  /// Takes the machines of the configuration. Those that stay as they are keep their alerts.
  mutating func use(_ machines: [ConfiguredMachine]) {
    places = machines.map { machine in
      places.first { $0.machine == machine } ?? Place(machine: machine)
    }
  }

  /// Notes how it stands with a machine. If the connection is lost, its alerts stay to be read.
  mutating func note(_ standing: ShownMachine.Standing, of machine: ConfiguredMachine) {
    change(machine) { place in
      place.standing = standing
      if standing.hello == nil {
        (place.isLeft, place.aside) = (true, [])
        (place.sent, place.waiting) = ([], WaitingList())
      }
    }
  }

  /// Takes the alerts that are at a machine now.
  ///
  /// - Parameter now: The time since a fixed point.
  mutating func take(_ picture: ScreenPicture, of machine: ConfiguredMachine, at now: Duration) {
    var number = numbers
    change(machine) { place in
      guard let id = place.id else { return }
      // The first picture of a connection is empty. Those that were left are then still to come.
      if place.isLeft, picture.shown.isEmpty { return }
      let before = place.arrivals
      place.arrivals = picture.shown.map { shown in
        let sent = shown.alert.at(machine: id)
        if let known = before.first(where: { $0.sent == sent }), !place.isLeft { return known }
        number += 1
        return Arrival(number: number, sent: sent, read: sent.read(from: machine, place.skew))
      }
      place.aside = picture.aside.map { $0.at(machine: id).read(from: machine, place.skew) }
      place.isLeft = false
    }
    numbers = number
    admit(at: now)
  }

  /// Takes the list of what waits at a machine now.
  mutating func take(_ list: WaitingList, of machine: ConfiguredMachine) {
    change(machine) { place in
      guard let id = place.standing.hello?.id else { return }
      let known = Dictionary(zip(place.sent, place.waiting.requests)) { first, _ in first }
      place.sent = list.requests.map { $0.at(machine: id) }
      place.waiting.requests = place.sent.map { known[$0] ?? $0.read(from: machine, place.skew) }
      place.waiting.total = list.total
    }
  }

  /// Forgets the alerts of an earlier connection that the machine has not shown again.
  mutating func forgetLeft(of machine: ConfiguredMachine) {
    change(machine) { place in
      guard place.isLeft, place.standing.hello != nil else { return }
      (place.arrivals, place.isLeft) = ([], false)
    }
  }

  private mutating func change(_ machine: ConfiguredMachine, _ body: (inout Place) -> Void) {
    guard let index = places.firstIndex(where: { $0.machine == machine }) else { return }
    body(&places[index])
  }

  // MARK: Turns

  /// Lets alerts come up as the rate allows.
  mutating func admit(at now: Duration) {
    for place in places.indices {
      for arrival in places[place].arrivals.indices where !places[place].arrivals[arrival].isAdmitted {
        guard places[place].bucket.wait(at: now, rate: Self.rate) == nil else { break }
        places[place].bucket.take(at: now, rate: Self.rate)
        places[place].arrivals[arrival].isAdmitted = true
      }
    }
  }

  /// Returns the time until the next alert that is held back can come up; `nil` if none is held back.
  func wait(at now: Duration) -> Duration? {
    places.filter { $0.heldCount > 0 }.compactMap { $0.bucket.wait(at: now, rate: Self.rate) }.min()
  }

  /// Notes that an alert of a machine was answered, or set aside. Its next one comes after those of the others.
  ///
  /// - Parameter machine: The id of the machine's broker; empty for this machine.
  mutating func noteTurn(of machine: String) {
    turns += 1
    guard !machine.isEmpty else { return lastOwnTurn = turns }
    if let index = places.firstIndex(where: { $0.id == machine }) { places[index].lastTurn = turns }
  }

  // MARK: Pictures

  /// Returns the alerts of all machines, in the order in which they come up.
  ///
  /// - Parameter own: The alerts of this machine.
  func picture(with own: DashboardPicture) -> DashboardPicture {
    var picture = own
    let others = places.sorted { $0.order < $1.order }
    let (before, after) = (
      others.filter { $0.lastTurn < lastOwnTurn }, others.filter { $0.lastTurn >= lastOwnTurn }
    )
    picture.shown = before.flatMap(\.shown) + own.shown + after.flatMap(\.shown)
    picture.aside += places.flatMap(\.aside)
    picture.machines = places.map(\.described)
    return picture
  }

  /// Returns the alert of an id as it was sent and read; `nil` if it is not at this dashboard now.
  func arrival(_ id: Alert.ID) -> Arrival? {
    place(of: id.machine)?.arrivals.first { $0.sent.id == id && $0.isAdmitted }
  }

  /// Returns a waiting request of another machine as it was sent and read; `nil` if it is not listed now.
  func request(_ id: Alert.ID) -> (sent: PendingRequest, read: PendingRequest)? {
    guard let place = place(of: id.machine), let index = place.sent.firstIndex(where: { $0.alertID == id })
    else { return nil }
    return (place.sent[index], place.waiting.requests[index])
  }
}

extension MachineBoards.Place {
  /// The id of the machine's broker, by which its alerts are known.
  var id: String? { standing.hello?.id ?? lastID }

  private var lastID: String? { arrivals.first?.sent.id.machine }

  /// How far the machine's clock is ahead of this one, in whole seconds: what lies below is the network's.
  fileprivate var skew: Duration {
    .seconds(((standing.hello?.skew ?? .zero) / Duration.seconds(1)).rounded())
  }

  fileprivate var heldCount: Int { arrivals.count { !$0.isAdmitted } }

  fileprivate var order: (Int, Int) { (lastTurn, arrivals.first?.number ?? .max) }

  fileprivate var shown: [DashboardPicture.Shown] {
    arrivals.filter(\.isAdmitted).map {
      .init($0.read, .init(board: DashboardPicture.Turn.otherMachines, number: $0.number), isBacked: !isLeft)
    }
  }

  fileprivate var described: ShownMachine {
    ShownMachine(machine: machine, id: id, standing: standing, heldCount: heldCount, waiting: waiting)
  }
}
