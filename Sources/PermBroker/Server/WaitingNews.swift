import Operations
import PermModel

/// The notifications that tell a client that its request is waiting, and how many dashboards can show the request. The
/// client is notified again whenever that number changes.
struct WaitingNews: Sendable {
  let id: Request.ID
  let keeper: BoardKeeper
  let send: CallRouter.Send<Methods.Request.Reply>
  let told = AsyncStream.makeStream(of: Int.self)

  func begin() async {
    let count = keeper.screenCount
    await tell(count)
    told.continuation.yield(count)
  }

  /// Continues the notifications that ``begin()`` started, until the task is cancelled.
  ///
  /// - Parameters:
  ///   - isEnding: Whether the broker will stop soon. If so, the client is no longer notified.
  ///   - whenAttended: Called whenever the number of dashboards rises from zero, just before the client is notified.
  func goOn(unless isEnding: @Sendable () -> Bool, whenAttended: @Sendable () -> Void) async {
    for await first in told.stream {
      var last = first
      for await count in keeper.screenCounts where count != last && !isEnding() {
        if last == 0 { whenAttended() }
        last = count
        await tell(count)
      }
    }
  }

  private func tell(_ count: Int) async {
    try? await send(.init(id: id.text, state: .waiting, presenters: count))
  }
}
