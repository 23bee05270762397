import CFuse
import Machine
import PermBroker
import PermModel

/// The broker of a run: the one that is there, or one that the warden starts.
struct BrokerStarter: Sendable {
  let place: BrokerLocation
  let store: String
  /// The environment of the warden, of which a broker gets only what says where files are.
  let variables: [String: String]

  private static let names = [
    "HOME", "USER", "LOGNAME", "PATH", "LANG", "TZ", "XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME",
  ]
  /// The time for a broker to start, and the pause between two attempts to reach it.
  private static let patience: Int64 = 10_000
  private static let pause: UInt32 = 5_000

  /// Announces a run. If no broker runs, starts one, which goes on after the run has ended.
  func supervise(_ claim: RunClaim, id: String, label: String?) throws(WallsFailure) -> SupervisedRun {
    let deadline = SystemClock.monotonic.milliseconds + Self.patience
    var broker: pid_t?
    while true {
      // Another run can have started one at the same moment, so that this one has ended.
      let isLast = broker.map(Self.hasEnded) ?? false || SystemClock.monotonic.milliseconds >= deadline
      do {
        return try SupervisedRun(claim, id: id, label: label, at: place.addresses)
      } catch BrokerSocketError.nobodyListens where !isLast {
        if broker == nil { broker = try start() }
        BlockingThread.sleep(microseconds: Self.pause)
      } catch BrokerSocketError.nobodyListens {
        throw WallsFailure(
          "no broker runs, and 'permtui serve' did not start one; try it in another terminal")
      } catch {
        throw WallsFailure("the broker refuses this run: \(error)")
      }
    }
  }

  private static func hasEnded(_ process: pid_t) -> Bool {
    var status: Int32 = 0
    return waitpid(process, &status, WNOHANG) == process
  }

  /// Starts `permtui serve` in a session of its own, in `/`, without descriptors and with a built environment.
  private func start() throws(WallsFailure) -> pid_t {
    guard !place.isElsewhere else {
      throw WallsFailure("no broker listens in the folder that PERMTUI_SOCKETS names")
    }
    guard let program = Self.permtui else {
      throw WallsFailure("no broker runs, and there is no permtui beside permtui-run to start one")
    }
    let environment = variables.filter { Self.names.contains($0.key) || $0.key.hasPrefix("LC_") }
    let words = ["env", "-i", "-C", "/"] + environment.map { "\($0.key)=\($0.value)" }.sorted()
    do { return try Program.start(words + [program, "--store", store, "serve"], output: nil) } catch {
      throw WallsFailure("no broker runs, and none can be started: \(error)")
    }
  }

  private static var permtui: String? {
    guard let folder = Paths.target(ofLink: "/proc/self/exe")?.folderOfPath else { return nil }
    let path = folder + "/permtui"
    return FileStatus(path)?.kind == .file ? path : nil
  }
}
