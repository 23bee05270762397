/// The settings in a person's `config.toml` that concern the model, such as paths and the person's own capabilities.
///
/// The file also contains tables with settings for other parts of the program. Those parts read these tables.
public struct UserConfiguration: Sendable {
  /// The capabilities that the person has defined, in the order of the file.
  package var capabilities: [CapabilityDescriptor] = []
  /// The places where probes look, as changed by the file.
  public var environment: ProbeEnvironment
  /// The number of days for which journal entries are kept; `nil` to keep them forever.
  package var journalDays: Int?
  /// The times that decide when a prompt can be answered.
  package var promptTimes = PromptTimes()
  /// The command that tells the person that something waits; `nil` if there is none.
  package var notification: NotificationSettings?
  /// The other machines whose requests the person wants to see, in the order of the file.
  package var machines: [ConfiguredMachine] = []
  /// The mistakes in the file. The rest of the file takes effect.
  package var problems: [ConfigurationProblem] = []

  /// The tables that other parts of the program read.
  package static let foreignTables: Set<String> = ["dashboard", "keys", "broker"]

  /// Creates the configuration that applies if there is no file.
  package init(_ environment: ProbeEnvironment) { self.environment = environment }

  /// Reads the configuration file that an environment names. If the file is missing, the defaults apply and
  /// no problem is reported.
  public static func read(_ environment: ProbeEnvironment) -> UserConfiguration {
    let file = environment.configFile
    let files = FileSystem()
    guard files.entry(at: file) != nil else { return UserConfiguration(environment) }
    if let text = files.text(of: file) { return UserConfiguration(text: text, file: file, environment) }
    var configuration = UserConfiguration(environment)
    configuration.problems = [
      ConfigurationProblem(file: file, message: "cannot be read; give your user the right to")
    ]
    return configuration
  }

  /// Parses the content of a file.
  package init(text: String, file: String, _ environment: ProbeEnvironment) {
    self.environment = environment
    let (values, mistakes) = ConfigurationReader.read(text, file: file)
    problems = mistakes
    var root = ConfigurationTable(file: file, values: values)
    for name in Self.foreignTables { _ = root.table(name) }
    readFolders(&root)
    root.read("journal") { journalDays = $0.number("days", in: 1...36_500) }
    root.read("prompt") { promptTimes = PromptTimes(slow: $0.number("slow", in: PromptTimes.factors) ?? 1) }
    root.read("notify") { notification = NotificationSettings(&$0, environment) }
    if var table = root.table("machines") {
      machines = ConfiguredMachine.read(&table)
      problems += table.problems
    }
    readCapabilities(&root)
    root.reportUnknownKeys()
    problems += root.problems
  }

  /// The person's catalogue: the built-in capabilities, followed by those that the person has defined.
  public var catalogue: CapabilityCatalogue { CapabilityCatalogue.builtIn.adding(capabilities) }

  private mutating func readFolders(_ root: inout ConfigurationTable) {
    root.read("health") { environment.healthFolder = folder(&$0) ?? environment.healthFolder }
    root.read("passbook") { environment.passFolder = folder(&$0) ?? environment.passFolder }
    root.read("photos") { environment.pictures = folder(&$0) ?? environment.pictures }
    root.read("calendar") { environment.calendarFolders = folders(&$0) + environment.calendarFolders }
    root.read("contacts") { environment.contactFolders = folders(&$0) + environment.contactFolders }
  }

  private func folder(_ table: inout ConfigurationTable) -> String? {
    table.text("folder").flatMap { table.path("folder", $0, in: environment) }
  }

  private func folders(_ table: inout ConfigurationTable) -> [String] {
    (table.texts("folders") ?? []).compactMap { table.path("folders", $0, in: environment) }
  }

  private mutating func readCapabilities(_ root: inout ConfigurationTable) {
    guard var all = root.table("capability") else { return }
    for name in all.values.keys {
      guard var table = all.table(name) else { continue }
      if let capability = UserCapability(named: name, &table, environment) {
        capabilities.append(capability.descriptor)
      }
      problems += table.problems
    }
    problems += all.problems
  }
}

extension ProbeEnvironment {
  /// Returns the absolute form of a path that a person wrote; `nil` if the path depends on the working directory.
  func expanded(_ path: String) -> String? {
    if path == "~" { return home }
    if path.hasPrefix("~/") { return home + path.dropFirst(1) }
    return path.hasPrefix("/") ? path : nil
  }
}
