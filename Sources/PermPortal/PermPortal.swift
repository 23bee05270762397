import ArgumentParser
import ProgramVersion

/// The program `permtui-portal`: it answers the desktop's questions about apps through PermTUI.
@main
struct PermPortal: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "permtui-portal",
    abstract: "Answer the desktop's questions about apps in the terminal.",
    discussion: """
      Flatpak and Snap programs ask the desktop's portal for the camera, the microphone and the location. With \
      'permtui connect portal --write' their questions come up in permtui, also without a desktop.
      """,
    version: Version.complete,
    subcommands: [ServePortal.self, StoreCommand.self], defaultSubcommand: ServePortal.self)

  static let _errorPrefix = "permtui-portal: "
}
