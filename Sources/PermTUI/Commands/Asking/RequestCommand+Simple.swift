extension RequestCommand {
  private static let simpleFlags: Set = ["--queue", "--json", "--in-folder", "--no-color"]
  private static let simpleOptions: Set = ["--as", "--reason", "--wait", "--store"]

  /// Reads the arguments of a usual request without the parser. The parser examines each option by reflection, which takes
  /// longer than a known answer does.
  ///
  /// - Returns: The command that the parser would make; `nil` if the arguments contain anything unusual, such as a
  ///   mistake, which the parser then reports.
  static func simple(_ arguments: [String]) -> RequestCommand? {
    var (capabilities, flags): ([String], Set<String>) = ([], [])
    var values: [String: String] = [:]
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if isWord(argument) {
        capabilities.append(argument)
      } else if simpleFlags.contains(argument), flags.insert(argument).inserted {
        continue
      } else if simpleOptions.contains(argument), values[argument] == nil, let value = rest.popFirst(),
        isWord(value)
      {
        values[argument] = value
      } else {
        return nil
      }
    }
    return capabilities.isEmpty ? nil : RequestCommand(capabilities, flags, values)
  }

  private static func isWord(_ argument: String) -> Bool { !argument.isEmpty && !argument.hasPrefix("-") }

  /// Sets every property, because one that is not set ends the process when it is read.
  private init?(_ capabilities: [String], _ flags: Set<String>, _ values: [String: String]) {
    self.init()
    self.capabilities = capabilities
    (label, reason, details, lifetime) = (values["--as"], values["--reason"], nil, nil)
    wait = values["--wait"].flatMap { Int($0) }
    (queue, json, inFolder) = (
      flags.contains("--queue"), flags.contains("--json"), flags.contains("--in-folder")
    )
    shared = SharedOptions()
    (shared.store, shared.noColor) = (values["--store"], flags.contains("--no-color"))
    if wait == nil, values["--wait"] != nil { return nil }
    guard (try? validate()) != nil else { return nil }
  }
}
