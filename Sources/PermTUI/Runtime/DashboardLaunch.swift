import PermModel

/// Opens a dashboard on the terminal of this process.
struct DashboardLaunch {
  let environment: [String: String]
  private let options: TerminalOptions
  /// Whether the dashboard works line by line.
  let isPlain: Bool
  /// Created before anything that starts a thread.
  private let signals = Signals()

  /// - Parameter isPlain: Whether the dashboard is to work line by line; a dumb terminal can do nothing else.
  init(noColor: Bool, isPlain: Bool) {
    environment = ProcessEnvironment.current()
    var options = TerminalOptions(environment: environment)
    if noColor { options.usesColor = false }
    self.options = options
    self.isPlain = isPlain || options.type == "dumb"
  }

  /// The environment of this person's store.
  var world: StoreEnvironment {
    .linux(sessionFolder: environment["XDG_RUNTIME_DIR"].map { $0 + "/permtui" })
  }

  /// Checks for a terminal before anything is created that only a dashboard needs.
  func checkTerminal() throws {
    try explained { isPlain ? try LineTerminal.check(options) : try Terminal.check(options) }
  }

  /// Shows the dashboard until the person leaves it. Runs on the main thread, which owns the terminal.
  ///
  /// - Parameter started: Called once the dashboard can take alerts.
  /// - Returns: The exit code.
  /// - Throws: ``CommandError`` if there is no usable terminal; errors of the store.
  func show(_ session: DashboardSession, started: @escaping () -> Void = {}) throws -> Int32 {
    try explained {
      isPlain
        ? try session.runPlain(options, signals: signals, started: started)
        : try session.run(options, signals: signals, started: started)
    }
  }

  private func explained<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as TerminalError {
      let lines = error.description.split(separator: "\n").map(String.init)
      throw CommandError(lines.first ?? "", advice: Array(lines.dropFirst()))
    }
  }
}
