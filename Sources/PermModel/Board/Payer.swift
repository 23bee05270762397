/// The program and the family to which the cost of a connection or a request is charged.
package struct Payer: Hashable, Sendable {
  package var program: Asker
  package var family: Family

  package init(_ program: Asker, in family: Family) {
    self.program = program
    self.family = family
  }
}
