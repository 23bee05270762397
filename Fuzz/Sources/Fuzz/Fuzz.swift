import Glibc

/// The reader of the inputs, chosen by the variable `FUZZ`: `wire`, `deno`, `hook`, `config`, `import`, `scope` or `shell`.
enum Target: String, CaseIterable {
  case wire, deno, hook, config, scope, shell
  case importFile = "import"

  static let chosen: Target = {
    let name = getenv("FUZZ").map { String(cString: $0) } ?? "wire"
    guard let target = Target(rawValue: name) else {
      fatalError("FUZZ is wire, deno, hook, config, import, scope or shell")
    }
    return target
  }()
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ input: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt
) -> CInt

/// Called by the package manager as the program's main function.
@_cdecl("Fuzz_main")
public func main(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
  var (count, arguments) = (count, arguments)
  return runFuzzer(&count, &arguments, takeInput)
}

/// Called by libFuzzer with each input. Whatever the input is, it must be read or refused, without a crash, an endless
/// loop, or a leak.
@_cdecl("LLVMFuzzerTestOneInput")
public func takeInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  switch Target.chosen {
  case .wire: WireInput.take(input)
  case .deno: DenoInput.take(input)
  case .config: ConfigInput.take(input)
  case .importFile: ImportInput.take(input)
  case .scope: ScopeInput.take(input)
  case .shell: ShellInput.take(input)
  case .hook: HookInput.take(input)
  }
  return 0
}
