/// The arguments after the program's name on its command line.
enum ProgramArguments {
  /// Returns the arguments. Swift looks for them on the stack, but finds none if certain libraries, such as
  /// libfaketime, are preloaded; then the kernel is asked, because a command that lost its arguments would open the
  /// dashboard.
  static func given() -> [String] {
    guard CommandLine.argc == 0 else { return Array(CommandLine.arguments.dropFirst()) }
    let line = (try? TextFile(path: "/proc/self/cmdline").read()) ?? ""
    return line.split(separator: "\0", omittingEmptySubsequences: false).dropFirst().dropLast().map(
      String.init)
  }
}
