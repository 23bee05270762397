import PermModel
import PermModelTesting
import Testing

@Suite("Facts and statuses that a test makes itself")
struct TestingFactsTests {
  @Test("Facts lead to the status that decisions would lead to")
  func facts() {
    let photos = Capability.Photos(.read)
    let some = CapabilityFacts(of: photos, allowed: [Atom("photos", "limited")])
    #expect(photos.status(from: some) == Capability.Photos.Status(.limited))
    let all = CapabilityFacts(
      of: photos, allowed: [Atom("photos", "read")], denied: [Atom("photos", "add-only")])
    #expect(photos.status(from: all) == Capability.Photos.Status(.allowed, adding: .denied))
    let read: Set = [Atom("photos", "read")]
    let none = CapabilityFacts(of: photos, allowed: read, restricted: ["read", "limited"])
    #expect(photos.status(from: none).reading == .restricted)
  }

  @Test("Facts know values")
  func values() throws {
    let file = try Capability.Files(.read, "/srv/a/b")
    let folder = try Capability.Files(.write, "/srv/a/")
    let facts = CapabilityFacts(of: file, allowed: folder.requirement.atoms)
    #expect(file.status(from: facts).meets(file.requirement))
    #expect(!folder.status(from: CapabilityFacts(of: folder)).meets(folder.requirement))
  }

  @Test("Every status can be made")
  func statuses() {
    #expect(PartStatus<Capability.Calendar>([.events: .allowed]).meets(.events))
    #expect(Capability.Location.Status(.always).meets(.whenInUse))
    #expect(Capability.Notifications.Status(.allowed).meets(.alert))
    #expect(Capability.Cloud.Status(read: .allowed).meets(.read))
    #expect(Capability.Health.Status(read: [.heart: .allowed]).meets(.init(read: [.heart])))
    let atom = Atom("printing", "print")
    #expect(StandardStatus<AtomRequirement>([atom: .allowed]).meets(AtomRequirement(atoms: [atom])))
  }

  @Test("A result of a test's own says what it would")
  func results() throws {
    let allowed = Authorization(.read, Capability.Photos.Status(.allowed))
    #expect(allowed.isAllowed)
    let denied = Authorization(.read, Capability.Photos.Status(.denied), refusal: .denied(note: "no"))
    #expect(denied.refusal == .denied(note: "no"))
    let why = Unavailability(reason: "no pictures folder", remedy: "make it")
    let gone = Authorization(.read, Capability.Photos.Status(.allowed), availability: .unavailable(why))
    #expect(gone.refusal == .unavailable(why))
  }
}
