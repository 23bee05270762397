import PermBroker
import PermModel

@testable import PermTUI

extension Samples {
  /// Returns complete data without decisions, with these requests waiting.
  static func loaded(waiting requests: [Request]) -> DashboardData {
    var data = data(decisions: [], waiting: requests.map { item($0) })
    data.isLoaded = true
    return data
  }

  /// Returns the alert that would be shown for a request alone.
  static func pending(_ request: Request, in data: DashboardData) -> PendingRequest {
    let row = data.capability(request.capability)
    let content = RequestAlert(
      request: request, title: row?.title ?? request.capability, action: row?.action ?? "use it",
      explanation: "",
      severity: row?.severity(of: request.atoms) ?? .severe,
      choices: [RequirementChoice(atoms: request.atoms, title: row?.words(for: request.atoms) ?? "use")],
      history: AnswerHistory(), identity: .asSeen, lifetimes: lifetimes)
    return PendingRequest(StoredRequest(request, process: ProcessIdentity(pid: 4711, startTime: 1)), content)
  }

  /// Returns the reaction of a broker to an effect that picks requests; `nil` if the effect is another one.
  static func reaction(
    to effect: Effect, in data: DashboardData, _ picture: DashboardPicture = DashboardPicture()
  ) -> Action? {
    guard case .pick(let ids, let verdict) = effect else { return nil }
    let own = data.waiting.filter { $0.request != nil }.map { item -> PendingRequest in
      guard let request = item.request else { preconditionFailure("it is one") }
      var picked = pending(request, in: data)
      picked.isOnScreen = item.isElsewhere
      return picked
    }
    let all = own + picture.machines.flatMap(\.waiting.requests)
    return .picked(ids.compactMap { id in all.first { $0.alertID == id } }, verdict)
  }
}
