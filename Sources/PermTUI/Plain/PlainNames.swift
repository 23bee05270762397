import PermBroker
import PermModel

/// Finds out what a person means who allows or denies by name.
struct PlainNames {
  let catalogue: CapabilityCatalogue
  /// The program that a decision is to be made for; throws what to say where there is none, or several.
  let program: (ProgramArgument) throws -> Subject
}

extension PlainNames {
  /// With the programs that a store knows.
  init(_ catalogue: CapabilityCatalogue, _ store: any PermissionStore) {
    self.init(catalogue: catalogue) { try ProgramName($0.wholeText).decidable(in: store) }
  }
}
