import Machine

extension Broker {
  /// The time between two attempts to bind sockets that were removed.
  private static let pause = Duration.seconds(1)

  /// Keeps the sockets where clients find them: if they are removed from outside, binds new ones. Ends when the task is
  /// cancelled.
  ///
  /// - Parameter report: Receives the reason why clients do not find the broker; `nil` when they find it again.
  package func keepListening(_ report: @Sendable (_ obstacle: String?) -> Void) async {
    guard let (server, sockets) = listening else { return }
    for await _ in PathWatches.shared.changes(of: sockets.paths) {
      while !sockets.areFound, !isStopping, !Task.isCancelled {
        do {
          report("its sockets were removed")
          // The program that removes them may still be at it. It could remove new sockets, too, or hide them unseen.
          try await QuietClock.sleep(for: Self.pause)
          if isStopping { return }
          try await server.accept(at: sockets.bindAgain())
          report(nil)
        } catch {
          report("\(error)")
        }
      }
    }
  }
}
