import ArgumentParser

/// The options that every command takes.
struct SharedOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Use this file of permissions, not PERMTUI_STORE or the usual one.", valueName: "path"),
    completion: .file(extensions: ["sqlite"]))
  var store: String?

  @Flag(name: .customLong("no-color"), help: "Print without colours, as NO_COLOR=1 does.")
  var noColor = false
}
