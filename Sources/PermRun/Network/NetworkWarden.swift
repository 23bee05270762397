import CWalls
import Machine
import PermModel

/// Makes the connections of the programs behind the walls, whose own network is empty.
///
/// A call waits in the kernel until it is answered. While a person is asked, no thread of the warden waits with it.
final class NetworkWarden: Sendable {
  let settings: NetworkSettings
  let own: OwnNetwork
  let processes: RunProcesses
  let state = Lock(State())
  /// The calls that the kernel hands over.
  private let calls: Int32
  /// An event descriptor: rulings may have changed.
  private let change: Int32
  let workers = WorkerThreads(most: 256, active: 4)

  struct State: Sendable {
    var names = RunNames()
    var questions = Questions<NetworkUse, Attempt>()
    var answers = RunAnswers()
    var connections = Connections()
    /// The paths of the sockets that were bound for programs inside, by their last names.
    var boundSockets: [[UInt8]: [UInt8]] = [:]
    /// The files of the sockets that the run itself has bound in folders of the host. The descriptors keep their numbers
    /// from being used again.
    var ownFiles: [LinkedFile: Int32] = [:]
  }

  /// The milliseconds after which it is looked whether programs still wait for the answers of a person.
  private static let patience: Int32 = 500

  init(_ settings: NetworkSettings, _ gifts: NetworkGifts, builder: pid_t) throws(Failure) {
    self.settings = settings
    own = try OwnNetwork(gifts)
    processes = RunProcesses(root: builder)
    calls = gifts.calls
    change = try checked(walls_event())
  }

  /// Begins. Returns whether the threads could be made.
  func start(_ gifts: NetworkGifts) -> Bool {
    settings.rulings.onChange { [change] in eventfd_write(change, 1) }
    let names = NameServer(messages: gifts.names, streams: gifts.nameStreams) { [self] name in
      state.withLock { $0.names.address(for: name) }
    }
    return names.start() && BlockingThread.start(serveCalls) && BlockingThread.start(followRulings)
  }

  private func serveCalls() {
    while true {
      let ready = walls_can_read(calls, -1, -1)
      if ready & 4 != 0 { return }
      if ready & 1 != 0 { takeCall() }
    }
  }

  private func takeCall() {
    var request = walls_request()
    guard walls_next_request(calls, &request) == 1 else { return }
    let call = WaitingCall(calls: calls, request: request)
    if !workers.run({ self.begin(call) }) { call.end(EAGAIN) }
  }

  private func followRulings() {
    while true {
      let patience = state.withLock { $0.questions.isEmpty } ? -1 : Self.patience
      guard walls_can_read(change, -1, patience) != 0 else {
        forgetGone()
        continue
      }
      var count: UInt64 = 0
      eventfd_read(change, &count)
      takeBack()
      continueAnswered()
    }
  }
}

/// The settings that the network has from the start.
struct NetworkSettings: Sendable {
  var rulings: any Rulings
  var answerer: any QuestionAnswerer
  var hidden: HiddenNames
  var notes: Notes
}

/// The descriptors that the builder hands over for the network.
struct NetworkGifts: Sendable {
  var calls: Int32 = -1
  var names: Int32 = -1
  var nameStreams: Int32 = -1
  /// The temporary folders of the run's own.
  var temporary: [Int32] = []

  /// Takes what a report hands over. Returns whether nothing is missing any more.
  mutating func take(_ report: walls_report) -> Bool {
    switch UInt32(report.gift) {
    case walls_gift_temporary.rawValue: temporary.append(report.descriptor)
    case walls_gift_names.rawValue: names = report.descriptor
    case walls_gift_name_streams.rawValue: nameStreams = report.descriptor
    default: calls = report.descriptor
    }
    return calls >= 0
  }
}

/// The network and the sockets of the run itself, about which nobody needs to be asked.
struct OwnNetwork: Sendable {
  /// The number of the network in which the program's sockets are made.
  let network: UInt64
  /// The file systems of the temporary folders. Every socket there was made inside.
  private let devices: Set<UInt64>

  init(_ gifts: NetworkGifts) throws(Failure) {
    var facts = walls_socket()
    _ = try checked(walls_describe_socket(gifts.names, &facts))
    network = facts.network
    devices = Set(gifts.temporary.compactMap { FileStatus(of: $0)?.device })
    gifts.temporary.forEach { _ = close($0) }
  }

  func has(_ socket: walls_socket) -> Bool { socket.network == network }
  func has(_ entry: FileStatus) -> Bool { devices.contains(entry.device) }
}
