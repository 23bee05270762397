import Glibc

extension Target {
  /// The reader of the inputs, chosen by the variable `FUZZ`.
  fileprivate static let chosen: Target = {
    let name = getenv("FUZZ").map { String(cString: $0) } ?? "wire"
    guard let target = Target(rawValue: name) else {
      fatalError("FUZZ is one of \(allCases.map(\.rawValue))")
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

/// Called by libFuzzer with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func takeInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  Target.chosen.take(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
