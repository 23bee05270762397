import Operations
import PermModel

/// The demo: a dashboard on a filled store of its own, and the story that unfolds in it.
struct DemoSession {
  let session: DashboardSession
  private let story: DemoStory

  /// Fills a store with the decisions of a few days ago.
  ///
  /// - Throws: `DemoError` or `StoreError` if there is no room for programs or store.
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

  /// Runs the story by itself while the dashboard is shown, and returns its programs' outcomes.
  func tell() async -> [DemoLine] {
    let inbox = session.inbox
    do {
      let parts = try await story.start()
      let lines = await story.finish(parts) { line in
        inbox.send(
          .reported(Report(text: "\(line.program) \(line.hasRun ? "ran" : "did not run"): \(line.words)")))
      }
      // The table waits in line like everything else; no one waits for it to be read.
      session.services.queue.add(
        AlertOperation(
          title: "The story is over", message: lines.report.joined(separator: "\n"), in: session.services.slot
        )
      )
      return lines
    } catch {
      inbox.send(.reported(Report(text: "\(error)", isError: true)))
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
