/// A reader of foreign bytes.
enum Target: String, CaseIterable, Sendable {
  case wire, deno, hook, config, scope, shell, lines, machine
  case importFile = "import"

  /// Reads an input or refuses it: whatever it is, without a crash, an endless loop, or a leak.
  func take(_ input: [UInt8]) {
    switch self {
    case .wire: WireInput.take(input)
    case .deno: DenoInput.take(input)
    case .config: ConfigInput.take(input)
    case .importFile: ImportInput.take(input)
    case .scope: ScopeInput.take(input)
    case .shell: ShellInput.take(input)
    case .lines: RealShellInput.take(input)
    case .hook: HookInput.take(input)
    case .machine: MachineInput.take(input)
    }
  }
}
