import PermModel

/// Notifies a client that its request is waiting and how many dashboards could show it, and again whenever that number
/// changes.
struct WaitingNews: Sendable {
  let id: Request.ID
  let presenters: AttachedPresenters
  let send: CallRouter.Send<Methods.Request.Reply>
  let told = AsyncStream.makeStream(of: Int.self)

  /// Notifies the client that its request is waiting.
  func begin() async {
    let count = presenters.count
    await tell(count)
    told.continuation.yield(count)
  }

  /// Continues the notifications after ``begin()`` until the task is cancelled.
  ///
  /// - Parameters:
  ///   - isEnding: Whether the client is not to be notified any longer.
  ///   - whenAttended: Called when the first dashboard appears after there were none, before the client is notified.
  func goOn(unless isEnding: @Sendable () -> Bool, whenAttended: @Sendable () -> Void) async {
    for await first in told.stream {
      var last = first
      for await count in presenters.counts where count != last && !isEnding() {
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
