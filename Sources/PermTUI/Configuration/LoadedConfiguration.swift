import PermBroker
import PermModel

/// One reading of the person's configuration and of the machine's policy.
struct LoadedConfiguration: Sendable {
  /// The part that concerns the model.
  var user: UserConfiguration
  /// The part that concerns the screen, with all mistakes in both files.
  var settings: DashboardSettings
  var policy: MachinePolicy
  /// Whether the person's file has mistakes. Mistakes in the policy do not count: each of them only forbids more.
  private(set) var hasMistakes: Bool
  /// The contents of both files; `nil` for a file that is missing or cannot be read.
  private(set) var texts: [String?]

  var problems: [ConfigurationProblem] { settings.problems }

  /// Reads both files.
  static func read(_ environment: ProbeEnvironment) -> LoadedConfiguration {
    let texts = Self.texts(environment)
    let user = UserConfiguration.read(environment)
    var settings = DashboardSettings(environment)
    let (policy, policyProblems) = MachinePolicy.read(user.environment, in: user.catalogue)
    let mistakes = user.problems.joined(with: settings.problems)
    settings.problems = mistakes + policyProblems
    settings.times = user.promptTimes
    return LoadedConfiguration(
      user: user, settings: settings, policy: policy, hasMistakes: !mistakes.isEmpty, texts: texts)
  }

  static func files(_ environment: ProbeEnvironment) -> [String] {
    [environment.configFile, environment.policyFile]
  }

  static func texts(_ environment: ProbeEnvironment) -> [String?] {
    files(environment).map { FileSystem().text(of: $0) }
  }

  /// Returns the configuration that is in effect after this reading: this one or, if the person's file has mistakes,
  /// the earlier one.
  func following(_ earlier: LoadedConfiguration) -> LoadedConfiguration {
    guard hasMistakes else { return self }
    var kept = earlier
    (kept.hasMistakes, kept.texts) = (hasMistakes, texts)
    kept.settings.problems = problems
    kept.policy = MachinePolicy.read(kept.user.environment, in: kept.user.catalogue).policy
    return kept
  }

  /// A message that says what counts after a change.
  var news: String {
    hasMistakes
      ? "The configuration from before the change is still in effect."
      : "The changed configuration is now in effect."
  }

  var brokerSettings: BrokerSettings {
    BrokerSettings(
      catalogue: user.catalogue, probes: user.environment, policy: policy, notification: user.notification)
  }
}
