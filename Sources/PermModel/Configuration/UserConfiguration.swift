/// A person's settings for the model in `config.toml`: paths, and their own capabilities.
///
/// The same file has settings for the screen, in tables that are not read here.
public struct UserConfiguration: Sendable {
  /// The person's own capabilities, by name.
  package var capabilities: [CapabilityDescriptor] = []
  /// The places where probes look, with the changes that the file makes.
  public var environment: ProbeEnvironment
  /// The number of days for which the journal is kept; `nil` for forever.
  package var journalDays: Int?
  /// The times that decide when a prompt can be answered.
  package var promptTimes = PromptTimes()
  /// The mistakes in the file. The rest of it counts.
  package var problems: [ConfigurationProblem] = []

  /// The tables that other parts of the product read.
  package static let foreignTables: Set<String> = ["dashboard", "keys", "broker"]

  /// Creates the configuration that applies without a file.
  package init(_ environment: ProbeEnvironment) { self.environment = environment }

  /// Reads the file of an environment. A missing file sets nothing, and is not a problem.
  public static func read(_ environment: ProbeEnvironment) -> UserConfiguration {
    let file = environment.configFile
    let files = FileSystem()
    guard files.entry(at: file) != nil else { return UserConfiguration(environment) }
    guard let text = files.text(of: file) else {
      var configuration = UserConfiguration(environment)
      configuration.problems = [
        ConfigurationProblem(file: file, message: "cannot be read; give your user the right to")
      ]
      return configuration
    }
    return UserConfiguration(text: text, file: file, environment)
  }

  /// Reads the text of a file.
  package init(text: String, file: String, _ environment: ProbeEnvironment) {
    self.environment = environment
    let (values, mistakes) = ConfigurationReader.read(text, file: file)
    problems = mistakes
    var root = ConfigurationTable(file: file, values: values)
    for name in Self.foreignTables { _ = root.table(name) }
    readFolders(&root)
    readJournal(&root)
    readPrompt(&root)
    readCapabilities(&root)
    root.reportUnknownKeys()
    problems += root.problems
  }

  /// The person's catalogue: the built-in capabilities, followed by their own.
  public var catalogue: CapabilityCatalogue { CapabilityCatalogue.builtIn.adding(capabilities) }

  private mutating func readFolders(_ root: inout ConfigurationTable) {
    readFolder("health", &root) { $0.healthFolder = $1 }
    readFolder("passbook", &root) { $0.passFolder = $1 }
    readFolder("photos", &root) { $0.pictures = $1 }
    readFolderList("calendar", &root) { $0.calendarFolders = $1 + $0.calendarFolders }
    readFolderList("contacts", &root) { $0.contactFolders = $1 + $0.contactFolders }
  }

  private mutating func readPrompt(_ root: inout ConfigurationTable) {
    guard var table = root.table("prompt") else { return }
    if let factor = table.number("slow", in: PromptTimes.factors) { promptTimes = PromptTimes(slow: factor) }
    table.reportUnknownKeys()
    problems += table.problems
  }

  private mutating func readFolder(
    _ name: String, _ root: inout ConfigurationTable, set: (inout ProbeEnvironment, String) -> Void
  ) {
    guard var table = root.table(name) else { return }
    if let folder = path("folder", table.text("folder"), &table) { set(&environment, folder) }
    table.reportUnknownKeys()
    problems += table.problems
  }

  private mutating func readFolderList(
    _ name: String, _ root: inout ConfigurationTable, set: (inout ProbeEnvironment, [String]) -> Void
  ) {
    guard var table = root.table(name) else { return }
    let folders = (table.texts("folders") ?? []).compactMap { path("folders", $0, &table) }
    set(&environment, folders)
    table.reportUnknownKeys()
    problems += table.problems
  }

  private func path(_ key: String, _ text: String?, _ table: inout ConfigurationTable) -> String? {
    guard let text else { return nil }
    guard let path = environment.expanded(text) else {
      table.report(key, "must be a path that begins with / or ~/")
      return nil
    }
    return path
  }

  private mutating func readJournal(_ root: inout ConfigurationTable) {
    guard var table = root.table("journal") else { return }
    journalDays = table.number("days", in: 1...36_500)
    table.reportUnknownKeys()
    problems += table.problems
  }

  private mutating func readCapabilities(_ root: inout ConfigurationTable) {
    guard var all = root.table("capability") else { return }
    for name in all.keys {
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
  /// Returns the full form of a path that a person wrote; `nil` for one that depends on the working directory.
  func expanded(_ path: String) -> String? {
    if path == "~" { return home }
    if path.hasPrefix("~/") { return home + path.dropFirst(1) }
    return path.hasPrefix("/") ? path : nil
  }
}
