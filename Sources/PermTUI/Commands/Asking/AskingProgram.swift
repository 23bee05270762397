import Machine
import PermBroker
import PermModel

/// The program that runs this command to ask.
enum AskingProgram {
  private static var finder: ProgramFinder { ProgramFinder(processes: LinuxProcessTable()) }

  /// Returns the program without the whole chain of programs that started it, which a broker finds out itself. Returns
  /// `nil` if `/proc` cannot be read.
  static func seen() -> IdentifiedProgram? { finder.program(behind: ProcessHandle.own, withChain: false) }

  /// Returns a request with the chain of programs that started the one that asks.
  static func addingChain(to request: Request) -> Request {
    guard var evidence = request.evidence, let whole = finder.program(behind: ProcessHandle.own)?.evidence,
      whole.process == evidence.process
    else { return request }
    evidence.chain = whole.chain
    return request.with(evidence)
  }
}
