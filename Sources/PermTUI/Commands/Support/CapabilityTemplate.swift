import PermModel

/// A commented template for a capability of one's own, in the language of `config.toml`.
struct CapabilityTemplate {
  let name: String

  /// - Throws: ``CommandError`` if the configuration cannot have another capability with this name.
  init(_ name: String, beside catalogue: CapabilityCatalogue) throws(CommandError) {
    guard UserCapability.isName(name) else {
      throw .usage(UserCapability.nameRule)
    }
    guard catalogue[name] == nil else {
      throw .usage("there is a capability '\(name)' already", advice: ["choose another name"])
    }
    self.name = name
  }

  /// The title that is suggested: the name with a capital letter.
  private var title: String { name.prefix(1).uppercased() + name.dropFirst() }

  var text: String {
    """

    # \(title). A program asks for it with: permtui request \(name)
    [capability.\(name)]
    title = "\(title)"
    description = "A few words about the things that programs may do with it."
    severity = "moderate"                   # mild, moderate or severe: every yes to severe needs a typed word
    # probe = "~/.config/\(name)"           # without it, it is always available; with it, where this file exists

    # The parts that programs ask for, each with a table of its own. The first one is the usual one, which is meant
    # if only the capability is named.
    [capability.\(name).requirements.use]
    action = "use \(name)"                  # ends the sentence "backup asks to …"

    # [capability.\(name).requirements.change]
    # action = "change \(name)"
    # implies = ["use"]                     # a yes to change is a yes to use
    # severity = "severe"

    # A part that takes values is asked for as \(name):open@VALUE.
    # [capability.\(name).requirements.open]
    # action = "open with \(name)"
    # values = "name"                       # or "path"
    """
  }
}
