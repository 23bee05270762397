import Operations
import PermModel

/// The demo: a dashboard that uses a store of its own, filled with decisions, and the story that unfolds in
/// the dashboard.
struct DemoSession {
  let session: DashboardSession
  private let story: DemoStory

  /// Fills a store with decisions that are dated a few days ago.
  ///
  /// - Throws: `DemoError` if the programs cannot be installed; `StoreError` if the store cannot be used.
  init(
    _ machine: DemoMachine, storePath: String, world: StoreEnvironment, times: PromptTimes, isPlain: Bool
  ) throws {
    let cast = try DemoCast(on: machine)
    try cast.stock(try SQLiteStore(path: storePath, environment: world.earlier(by: .seconds(5 * 86_400))))
    let store = try SQLiteStore(path: storePath, environment: world)
    var session = DashboardSession(store: store, probes: machine.probes)
    session.isDemo = true
    session.settings.times = times
    self.session = session
    story = DemoStory(
      cast: cast, store: store, slot: session.services.slot, queue: session.services.queue,
      authorizer: session.services.authorizer, trackerTime: .seconds(20), isPlain: isPlain)
  }

  /// The announcement of the only program that is left when all others have ended.
  static let lastWait = "One more within 20 s: tracker, when its permission ends."
  static let nextSteps = """
    Now for real: leave with q, start permtui, and in another terminal type
      \(FirstRequest.command)
    """

  /// Runs the story while the dashboard is shown, and returns the outcomes of the story's programs.
  func tell() async -> [DemoLine] {
    let inbox = session.inbox
    do {
      let parts = try await story.start()
      let lines = await story.finish(parts) { line, left in
        let words = "\(line.program) \(line.hasRun ? "ran" : "did not run"): \(line.words)"
        inbox.send(.reported(Report(text: words)))
        inbox.send(.announced(left == 1 ? Self.lastWait : nil))
      }
      // The table waits in line like every other alert. This function does not wait for the person to read the table.
      // The next steps come first, because the table is longer than a screen of 24 rows.
      let message = ([Self.nextSteps, ""] + lines.report).joined(separator: "\n")
      session.services.queue.add(
        AlertOperation(title: "The story is over", message: message, in: session.services.slot))
      return lines
    } catch {
      inbox.send(.reported(Report(of: error)))
      return []
    }
  }
}

extension StoreEnvironment {
  /// Returns the same environment with its wall clock set back.
  fileprivate func earlier(by duration: Duration) -> StoreEnvironment {
    var past = self
    past.now = { [now] in
      var moment = now()
      moment.wall = moment.wall + (.zero - duration)
      return moment
    }
    return past
  }
}
