@testable import PermModel

/// The text of a person's `config.toml`.
enum ConfigInput {
  static func take(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let environment = ProbeEnvironment(root: "/nonexistent", home: "/nonexistent")
    let configuration = UserConfiguration(text: text, file: "config.toml", environment)
    for problem in configuration.problems { precondition(!"\(problem)".isEmpty) }
    for capability in configuration.catalogue.capabilities {
      let definition = capability.definition
      let all = definition.reference(for: Set(definition.atoms))
      // Every capability in the catalogue can be asked for.
      precondition((try? configuration.catalogue.parse(all)) != nil, "\(all) cannot be asked for")
    }
    if let reference = try? configuration.catalogue.parse(text) {
      precondition(!reference.capability.isEmpty)
    }
  }
}
