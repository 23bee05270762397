import Machine
import PermBroker
import PermModel

/// The start of a broker where none runs, by a command that needs one and does not stay.
struct BrokerStart {
  let place: BrokerLocation
  let context: CommandContext

  /// The time within which a broker listens that was started.
  private static let patience = Duration.seconds(10)

  /// Makes sure that a broker listens.
  ///
  /// - Throws: ``CommandError`` if none does, and none can be started.
  func ensure() throws(CommandError) {
    if try isListening { return }
    guard !place.isElsewhere else { throw CommandError("no broker listens at \(place.addresses[0].folder)") }
    if isUsualPlace, startThroughSystemd(), try isListening { return }
    try startAlone()
  }

  private var isListening: Bool {
    get throws(CommandError) {
      do throws(BrokerSocketError) {
        _ = try BrokerConnection(to: .control, among: place.addresses)
        return true
      } catch .nobodyListens {
        return false
      } catch {
        throw CommandError("\(error)")
      }
    }
  }

  /// Whether the broker's place follows from the user alone, as it does for the units of systemd.
  private var isUsualPlace: Bool {
    context.storeOption == nil && context.environment["PERMTUI_STORE"] == nil
      && context.environment["XDG_STATE_HOME"] == nil
  }

  /// Starts the socket of the user's systemd, which starts the broker at the first call. Returns whether systemd did it.
  private func startThroughSystemd() -> Bool {
    let folder = context.environment["XDG_RUNTIME_DIR"] ?? "/run/user/\(ProcessUser.own)"
    guard FileStatus(folder + "/systemd/private") != nil else { return false }
    let failure = AsyncBridge.wait {
      await Program.perform(
        ["systemctl", "--user", "start", "permtui.socket"], adding: ["XDG_RUNTIME_DIR": folder], within: 5_000
      )
    }
    return failure == nil
  }

  private func startAlone() throws(CommandError) {
    guard let program = Paths.target(ofLink: "/proc/self/exe") else {
      throw CommandError("permtui serve cannot be started: /proc cannot be read")
    }
    let store = context.storeOption.map { ["--store", StoreLocation.absolute($0)] } ?? []
    let process: Int32
    do {
      process = try Program.startApart([program, "serve"] + store, environment: builtEnvironment)
    } catch {
      throw CommandError("permtui serve cannot be started: \(error)")
    }
    let deadline = ContinuousClock.now + Self.patience
    while try !isListening {
      guard ContinuousClock.now < deadline else {
        let hasEnded = ProcessHandle(process)?.hasEnded ?? true
        throw CommandError(
          hasEnded ? "permtui serve has ended" : "permtui serve does not listen",
          advice: ["run it in a terminal there to see why: permtui serve"])
      }
      // The broker says nowhere that it listens, since it has no descriptor in common with this process.
      _ = Readable.poll([], milliseconds: 10)
    }
  }

  /// The variables that name folders of this user. Others, which the client of ssh may have sent, are left out.
  private static let kept = [
    "HOME", "USER", "LOGNAME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
    "PERMTUI_STORE",
  ]

  private var builtEnvironment: [String: String] {
    var variables = ["PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"]
    for name in Self.kept { variables[name] = context.environment[name] }
    return variables
  }
}
