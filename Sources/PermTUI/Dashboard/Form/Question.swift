import PermModel

/// A question of the dashboard itself, before it does something that needs a second thought. What is foreign in its
/// message is escaped already.
struct Question: Hashable, Sendable {
  var confirmation: Confirmation
  /// What is done if the person confirms.
  var effects: [Effect]
  var report: Report

  /// Whether confirming it answers requests.
  var answersRequests: Bool { effects.contains { if case .answerTogether = $0 { true } else { false } } }
}
