import Machine

extension CapabilityCatalogue {
  /// Returns the availability of every capability by its name, now and whenever something that a probe looks at
  /// changes.
  ///
  /// Probes run at the same time, off the caller's task. The sequence ends when its consumer does.
  package func availabilityUpdates(
    in environment: ProbeEnvironment
  ) -> AsyncStream<[String: Availability]> {
    let paths = capabilities.flatMap { $0.probedPaths(in: environment) }
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task.quiet {
        var last: [String: Availability]?
        for await _ in PathWatches.shared.changes(of: paths) {
          let found = await availabilities(in: environment)
          if Task.isCancelled { break }
          if found != last { continuation.yield(found) }
          last = found
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// Returns the availability of every capability by its name. All probes run at the same time.
  package func availabilities(in environment: ProbeEnvironment) async -> [String: Availability] {
    await withTaskGroup(of: (String, Availability).self) { group in
      for capability in capabilities {
        group.addTask {
          (capability.definition.name, await capability.availability(in: environment))
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }
}
