import PermModel

/// The reason why the alert on the screen was withdrawn: something other than an answer in this dashboard ended it.
enum AlertWithdrawal: Hashable, Sendable {
  case answeredInAgent
  case answered(AnswerElsewhere)
  case brokerGone
  case setAside
  /// The request waits, but not for this dashboard.
  case waitsElsewhere
  /// The program no longer waits.
  case ended

  var title: String {
    switch self {
    case .answeredInAgent: "Answered in the agent"
    case .answered(let other): other.verdict == .allow ? "Allowed elsewhere" : "Denied elsewhere"
    case .setAside: "Set aside elsewhere"
    case .brokerGone, .waitsElsewhere, .ended: "Withdrawn"
    }
  }

  /// Returns the reason as the end of a sentence, for example `was answered in the agent`.
  ///
  /// - Parameters:
  ///   - list: The key or the word that lists what waits.
  ///   - visible: Escapes untrusted text from other programs.
  func words(list: String, _ visible: (String) -> String) -> String {
    switch self {
    case .answeredInAgent: "was answered in the agent"
    case .answered(let other): "was \(visible(other.words))"
    case .brokerGone: "will be shown again if it still waits"
    case .setAside: "was set aside elsewhere; \(list) lists it"
    case .waitsElsewhere: "no longer waits for this dashboard"
    case .ended: "is no longer waiting"
    }
  }
}
