/// The words behind the program's name on its command line.
enum ProgramArguments {
  /// Swift finds them on the stack, and finds none beside some preloaded libraries, such as libfaketime. The kernel is
  /// asked then: a command that lost its arguments would open the dashboard.
  static func given() -> [String] {
    guard CommandLine.argc == 0 else { return Array(CommandLine.arguments.dropFirst()) }
    let line = (try? TextFile(path: "/proc/self/cmdline").read()) ?? ""
    return line.split(separator: "\0", omittingEmptySubsequences: false).dropFirst().dropLast().map(
      String.init)
  }
}
