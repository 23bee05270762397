/// The program and the family to which the cost of a connection or a request is charged.
package struct CostAccount: Hashable, Sendable {
  package var program: ProgramKey
  package var family: ProcessFamily

  package init(_ program: ProgramKey, in family: ProcessFamily) {
    self.program = program
    self.family = family
  }
}
