import Machine
import PermModel

/// A follower of the person's configuration and of the machine's policy. It reads them again whenever they change.
struct ConfigurationFollower: Sendable {
  /// The environment that names the files.
  var environment = ProbeEnvironment.current
  /// Waits until an editor that moves a file away before it writes the new one has finished.
  var pause: @Sendable () async -> Void = { try? await QuietClock.sleep(for: .milliseconds(100)) }

  /// Calls `take` with what counts after each change, until the task is cancelled.
  func run(
    since first: LoadedConfiguration, _ take: @Sendable (LoadedConfiguration) async -> Void
  ) async {
    var last = first
    for await _ in PathWatches.shared.changes(of: LoadedConfiguration.files(environment)) {
      await pause()
      if Task.isCancelled { return }
      guard LoadedConfiguration.texts(environment) != last.texts else { continue }
      last = LoadedConfiguration.read(environment).following(last)
      await take(last)
    }
  }
}
