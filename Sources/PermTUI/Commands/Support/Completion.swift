import ArgumentParser
import Machine
import PermModel

/// The suggestions that the shell offers when Tab is pressed.
enum Completion {
  /// Returns the names of capabilities or, after a colon, the parts of the named capability. After an `@`, returns
  /// values: the entries of a folder, or the variables of the environment.
  @Sendable
  static func capabilities(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
    offered(capabilities(beginning: prefix))
  }

  /// Returns suggestions in the form that the asking shell expects. For zsh, a colon separates a word from its
  /// description.
  private static func offered(_ words: [String]) -> [String] {
    guard CompletionShell.requesting == .zsh else { return words }
    return words.map { $0.replacing("\\", with: "\\\\").replacing(":", with: "\\:") }
  }

  private static func capabilities(beginning prefix: String) -> [String] {
    let catalogue = UserConfiguration.read(.current).catalogue
    guard let colon = prefix.firstIndex(of: ":") else { return catalogue.capabilities.map(\.definition.name) }
    let definition = catalogue[String(prefix[..<colon])]?.definition
    if let sign = prefix.firstIndex(of: "@"), let definition {
      let name = prefix[colon..<sign].dropFirst()
      return definition.parts.first { $0.name == name }.map {
        values(of: $0, definition, prefix[...sign], prefix)
      } ?? []
    }
    return definition?.parts.map { part in
      "\(prefix[...colon])\(part.name)\(part.needsValue ? "@" : "")"
    } ?? []
  }

  private static func values(
    of part: CapabilityPart, _ definition: CapabilityDefinition, _ start: Substring, _ prefix: String
  ) -> [String] {
    switch part.values {
    case .path: paths(prefix[start.endIndex...]).map { "\(start)\($0)" } + ["\(start)*"]
    case .name where definition.name == "environment":
      Environment.variables.keys.sorted().map { "\(start)\($0)" } + ["\(start)*"]
    case .host, .command, .name: ["\(start)*"]
    case nil: []
    }
  }

  /// Returns the paths of the entries whose paths begin like this, with a slash after each folder.
  private static func paths(_ typed: Substring) -> [String] {
    let folder = typed.lastIndex(of: "/").map { typed[...$0] } ?? ""
    let home = ProbeEnvironment.current.home
    let path = folder.hasPrefix("~/") ? home + folder.dropFirst() : folder.isEmpty ? "." : String(folder)
    let names = Folder.names(in: path)
    return names.sorted().map { name in
      let isFolder = FileStatus("\(path)/\(name)")?.kind == .folder
      return "\(folder)\(Scope.escaped(Array(name.utf8)))\(isFolder ? "/" : "")"
    }
  }

  /// Returns the labels of the programs that have decisions.
  @Sendable
  static func programs(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
    let programs = try? store(arguments).programs(after: nil, limit: 1000)
    return offered(programs?.map(\.subject.label) ?? [])
  }

  /// Returns the ids of the waiting requests.
  @Sendable
  static func requests(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
    let waiting = try? store(arguments).waitingRequests()
    return offered(waiting?.map { $0.id.short } ?? [])
  }

  /// Returns the names of the configured machines.
  @Sendable
  static func machines(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
    offered(UserConfiguration.read(.current).machines.map(\.name.text))
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
