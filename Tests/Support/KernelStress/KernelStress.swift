import Glibc

/// Hands a category over again and again while operations are stopped. Ends with 1 if a rule was ever broken.
///
///   KernelStress [ROUNDS]
@main
struct KernelStress {
  static func main() async {
    let rounds = CommandLine.arguments.dropFirst().first.map { Int($0) } ?? 500_000
    guard let rounds, rounds > 0 else {
      print("KernelStress: the number of rounds must be a whole number above zero")
      exit(64)
    }
    let report = await Handover(rounds: rounds).run()
    print("\(rounds) rounds\n\(report)")
    exit(report.faults.isEmpty ? 0 : 1)
  }
}
