import PermModel

@testable import PermBroker

extension TestBroker {
  /// The script that a process of Deno runs, as the broker sees it.
  static let denoScript = "/home/ana/app/main.ts"

  /// Decides about the script.
  func decide(
    _ verdict: Verdict, _ reference: String, for lifetime: LifetimeChoice = .forever
  ) throws {
    let subject = Self.program(Self.denoScript).subject(label: nil)
    let atoms = try CapabilityCatalogue.builtIn.parse(reference).atoms
    try store.decide(Ruling(verdict, subject: subject, atoms: atoms, lifetime: lifetime), by: .commandLine)
  }
}

/// Runs a test with a broker and a process of Deno that the test plays.
func withDeno(
  limits: RequestLimits.Settings = .init(), _ test: (TestBroker, DenoClient) async throws -> Void
) async throws {
  try await withBroker(limits: limits) { broker in
    broker.see(TestBroker.program(TestBroker.denoScript))
    try await test(broker, DenoClient(at: broker.address))
  }
}
