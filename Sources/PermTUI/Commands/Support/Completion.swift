import PermModel

/// The suggestions that the shell offers when Tab is pressed.
enum Completion {
  /// Returns the names of capabilities or, after a colon, the parts of the named capability.
  @Sendable
  static func capabilities(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
    let catalogue = UserConfiguration.read(.current).catalogue
    guard let colon = prefix.firstIndex(of: ":") else { return catalogue.capabilities.map(\.definition.name) }
    return catalogue[String(prefix[..<colon])]?.definition.atoms.map(\.description) ?? []
  }

  /// Returns the labels of the programs that have decisions.
  @Sendable
  static func programs(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
    let programs = try? store(arguments).programs(after: nil, limit: 1000)
    return programs?.map(\.subject.label) ?? []
  }

  /// Returns the ids of the waiting requests.
  @Sendable
  static func requests(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
    let waiting = try? store(arguments).waitingRequests()
    return waiting?.map { $0.id.short } ?? []
  }

  private static func store(_ arguments: [String]) throws -> any PermissionStore {
    let option = arguments.firstIndex(of: "--store").flatMap { arguments.dropFirst($0 + 1).first }
    return try CommandContext.process(storeOption: option).store(.read)
  }
}

extension Request.ID {
  /// The beginning of the id, with as many characters as people usually need to type.
  var short: String { String(text.prefix(8)) }
}
