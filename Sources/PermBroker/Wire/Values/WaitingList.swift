import PermModel

/// The requests that wait at a broker elsewhere: those that have waited longest, and the number of all.
package struct WaitingList: Hashable, Sendable {
  package var requests: [PendingRequest] = []
  package var total = 0

  /// The greatest number of requests that a dashboard lists of another machine.
  static let most = 100
  /// The greatest length of all listed requests, in bytes of a reply. A request can have 64 KiB.
  private static let mostBytes = 512 * 1_024

  package init() {}

  /// - Parameter requests: The requests, of which as many are listed as a reply has room for.
  init(_ requests: [PendingRequest], total: Int) {
    var room = Self.mostBytes
    self.requests = Array(
      requests.prefix { request in
        room -= (try? WireCoding.encode(Wire.Waiting(request)).count) ?? .max
        return room >= 0
      })
    self.total = total
  }
}

extension Wire {
  /// The changes that lead from one list of waiting requests to the next.
  struct WaitingChange: Codable, Hashable, Sendable {
    /// The ids of the listed requests, beginning with the one that has waited longest.
    var ids: [String]
    /// The requests that were not listed before, or have changed.
    var new: [Waiting]?
    /// The number of all requests that wait.
    var total: Int

    init(from old: WaitingList, to new: WaitingList) {
      let known = Set(old.requests)
      let news = new.requests.filter { !known.contains($0) }.map(Waiting.init)
      ids = new.requests.map(\.id.text)
      self.new = news.isEmpty ? nil : news
      total = new.total
    }

    /// Returns the list after this change.
    func list(after old: WaitingList) throws(BrokerError) -> WaitingList {
      var known = Dictionary(old.requests.map { ($0.id, $0) }) { first, _ in first }
      for waiting in new ?? [] {
        let request = try waiting.pending()
        known[request.id] = request
      }
      var list = WaitingList()
      list.requests = ids.compactMap { known.removeValue(forKey: Request.ID($0)) }
      list.total = total
      guard list.requests.count == ids.count, total >= ids.count else {
        throw .invalid(parameter: "waiting", reason: "it does not describe a list")
      }
      return list
    }
  }
}
