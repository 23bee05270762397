extension RequestCommand {
  private typealias Options = [(name: String, value: String)]

  private static let simpleFlags = ["--queue", "--json", "--in-folder", "--no-color"]
  private static let simpleOptions = ["--as", "--reason", "--wait", "--store"]

  /// Reads the arguments of a usual request without the parser. The parser examines each option by reflection, which takes
  /// longer than a known answer does. For a few words, arrays are faster than sets and dictionaries, whose types Swift
  /// makes at run time.
  ///
  /// - Returns: The command that the parser would make; `nil` if the arguments contain anything unusual, such as a
  ///   mistake, which the parser then reports.
  static func simple(_ arguments: [String]) -> RequestCommand? {
    var (capabilities, flags): ([String], [String]) = ([], [])
    var options: Options = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if isWord(argument) {
        capabilities.append(argument)
      } else if simpleFlags.contains(argument), !flags.contains(argument) {
        flags.append(argument)
      } else if simpleOptions.contains(argument), !options.contains(where: { $0.name == argument }),
        let value = rest.popFirst(), isWord(value)
      {
        options.append((argument, value))
      } else {
        return nil
      }
    }
    return capabilities.isEmpty ? nil : RequestCommand(capabilities, flags, options)
  }

  private static func isWord(_ argument: String) -> Bool { !argument.isEmpty && !argument.hasPrefix("-") }

  /// Sets every property, because one that is not set ends the process when it is read.
  private init?(_ capabilities: [String], _ flags: [String], _ options: Options) {
    func value(_ name: String) -> String? { options.first { $0.name == name }?.value }
    self.init()
    self.capabilities = capabilities
    (label, reason, details, lifetime) = (value("--as"), value("--reason"), nil, nil)
    wait = value("--wait").flatMap { Int($0) }
    (queue, json, inFolder) = (
      flags.contains("--queue"), flags.contains("--json"), flags.contains("--in-folder")
    )
    shared = SharedOptions()
    (shared.store, shared.noColor) = (value("--store"), flags.contains("--no-color"))
    if wait == nil, value("--wait") != nil { return nil }
    guard (try? validate()) != nil else { return nil }
  }
}
