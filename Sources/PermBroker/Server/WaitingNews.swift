import PermModel

/// Tells a client that its request waits and how many dashboards could show it, and again whenever that number changes.
struct WaitingNews: Sendable {
  typealias Send = @Sendable (Methods.Request.Reply) async throws -> Void

  private let id: Request.ID
  private let presenters: AttachedPresenters
  private let send: Send
  private let told = AsyncStream.makeStream(of: Int.self)

  init(of id: Request.ID, at presenters: AttachedPresenters, _ send: @escaping Send) {
    self.id = id
    self.presenters = presenters
    self.send = send
  }

  /// Says that it waits.
  func begin() async {
    let count = presenters.count
    await tell(count)
    told.continuation.yield(count)
  }

  /// Goes on with what ``begin()`` said, until the task is cancelled.
  ///
  /// - Parameters:
  ///   - isEnding: Whether nothing is to be told any more.
  ///   - whenAttended: Called when there are dashboards again after there were none, before the client hears.
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
