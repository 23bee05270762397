import PermModel
import PermModelTesting

// The code of docs/your-own-capability.md, word for word, except for the first block, which is Printing.swift.

private struct PrintReport: Operation {
  func execute(_ context: OperationContext) async throws {}
}

func printLikeThePage(_ queue: OperationQueue, _ authorizer: Authorizer) async throws -> [String] {
  var said: [String] = []
  func show(_ status: StandardStatus<AtomRequirement>) { said.append("\(status)") }
  // begin example
  // Asks if it must, then prints.
  let report = queue.add(PrintReport(), conditions: [AuthorizedFor(Printing())])
  for await found in authorizer.statusUpdates(of: Printing()) {
    show(found.status)
    if found.isAllowed { break }
  }
  // end example
  try await report.value
  return said
}

// begin example
/// The lights of a house.
struct Lights: CapabilityType {
  let definition = CapabilityDefinition(
    name: "lights", title: "Lights", summary: "The lights of this house.",
    parts: [
      CapabilityPart(
        "switch", values: .name, valueAction: "switch", valueNoun: "light", action: "switch every light")
    ])
  let requirement: AtomRequirement

  init(_ light: String) { requirement = AtomRequirement(atoms: [Atom("lights", "switch", .name(light))]) }
}
// end example

func testLikeThePage() -> [Bool] {
  // begin example
  let kitchen = Lights("kitchen")
  let facts = CapabilityFacts(of: kitchen, allowed: [Atom("lights", "switch", .names("kit"))])
  let isMet = kitchen.status(from: facts).meets(kitchen.requirement)
  // end example
  return [isMet]
}
