import ArgumentParser
import Foundation

@testable import PermTUI

/// A command as the argument parser describes it.
struct CommandDescription: Decodable {
  var commandName: String
  var abstract: String?
  var discussion: String?
  var defaultSubcommand: String?
  var arguments: [Argument]?
  var subcommands: [CommandDescription]?

  /// The arguments that help shows.
  var shown: [Argument] { (arguments ?? []).filter(\.shouldDisplay) }

  /// The subcommands, except `help`.
  var commands: [CommandDescription] { (subcommands ?? []).filter { $0.commandName != "help" } }

  struct Argument: Decodable, Hashable {
    enum Kind: String, Decodable { case positional, option, flag }

    struct Name: Decodable, Hashable {
      enum Kind: String, Decodable { case long, short, longWithSingleDash }

      var kind: Kind
      var name: String

      var spelled: String { kind == .long ? "--\(name)" : "-\(name)" }
    }

    var kind: Kind
    var names: [Name]?
    var preferredName: Name?
    var valueName: String
    var abstract: String?
    var isOptional: Bool
    var isRepeating: Bool
    var shouldDisplay: Bool
  }

  /// Returns the description of the whole program.
  static func permtui() throws -> CommandDescription {
    struct Dump: Decodable { var command: CommandDescription }
    return try JSONDecoder().decode(Dump.self, from: Data(PermTUI._dumpHelp().utf8)).command
  }
}
