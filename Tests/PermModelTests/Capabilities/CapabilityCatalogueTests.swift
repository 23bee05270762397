import PermModel
import Testing

@Suite("Naming capabilities")
struct CapabilityCatalogueTests {
  let catalogue = CapabilityCatalogue.builtIn

  @Test(
    "A name with parts becomes atoms",
    arguments: [
      ("photos", [Atom("photos", "read")]),
      ("camera", [Atom("camera")]),
      ("passbook", []),
      ("calendar:reminders", [Atom("calendar", "reminders")]),
      ("calendar:events, reminders", [Atom("calendar", "events"), Atom("calendar", "reminders")]),
      ("health:share=steps,read=heart", [Atom("health", "share=steps"), Atom("health", "read=heart")]),
      ("cloud:read@nas", [Atom("cloud", "read", .name("nas"))]),
      ("location:always,precise", [Atom("location", "always"), Atom("location", "precise")]),
    ] as [(String, [Atom])])
  func parses(text: String, atoms: [Atom]) throws {
    #expect(try catalogue.parse(text).atoms == Set(atoms))
  }

  @Test(
    "A reference to no capability is refused, with a suggestion of the one that was probably meant",
    arguments: [
      ("fotos", .unknownCapability("fotos", suggestion: "photos")),
      ("phtoos", .unknownCapability("phtoos", suggestion: "photos")),
      ("cal", .unknownCapability("cal", suggestion: "calendar")),
      ("", .unknownCapability("", suggestion: nil)),
      ("zebra", .unknownCapability("zebra", suggestion: nil)),
      ("passbook:all", .noParts(of: "passbook")),
      ("health", .partMissing(of: "health", example: "health:share=steps")),
      ("calendar:", .emptyPart(in: "calendar:")),
      ("calendar:events,", .emptyPart(in: "calendar:events,")),
      ("cloud:read@", .emptyPart(in: "cloud:read@")),
      (
        "calendar:reminder",
        .unknownPart(
          "reminder", of: "calendar", suggestion: "reminders", known: ["events", "reminders"])
      ),
    ] as [(String, CapabilityReferenceError)])
  func refuses(text: String, error: CapabilityReferenceError) {
    #expect(throws: error) { try catalogue.parse(text) }
  }

  @Test("The written form of an atom set is read back as the same set")
  func roundTrip() throws {
    for capability in catalogue.capabilities {
      for atom in capability.definition.atoms {
        let text = capability.definition.reference(for: [atom])
        #expect(try catalogue.parse(text).atoms == [atom], "\(text)")
      }
      let all = Set(capability.definition.atoms)
      let text = capability.definition.reference(for: all)
      #expect(try catalogue.parse(text).atoms == all, "\(text)")
    }
  }

  @Test("A typed requirement keeps exactly the atoms that it is made from")
  func requirementsKeepAtoms() {
    for descriptor in catalogue.capabilities {
      for atom in descriptor.definition.atoms {
        let kept = descriptor.capability(asking: [atom]).requirementAtoms
        let needed = kept.contains { descriptor.definition.covers($0, atom) }
        #expect(needed, "\(atom) became \(kept)")
      }
    }
  }

  @Test("Words are those of the parts, without what another part covers")
  func words() {
    let location = Capability.Location.definition
    let both: Set = [Atom("location", "always"), Atom("location", "when-in-use")]
    #expect(location.action(for: both) == "know where you are at any time")
    let calendar = Capability.Calendar.definition
    #expect(
      calendar.action(for: Set(calendar.atoms))
        == "read and change the events in your calendars and read and change your reminders")
    #expect(Capability.Cloud.definition.title(for: [Atom("cloud", "read", .name("nas"))]) == "read in nas")
  }

  @Test("Of capabilities with one name the first counts")
  func noReplacing() {
    let twin = CapabilityDefinition(name: "photos", title: "Other", summary: "", parts: [])
    let more = catalogue.adding([
      CapabilityDescriptor(twin) { _ in Capability.Passbook() }
    ])
    #expect(more["photos"]?.definition.title == "Photos")
    #expect(more.capabilities.count == catalogue.capabilities.count)
  }
}

extension CapabilityType {
  var requirementAtoms: Set<Atom> { requirement.atoms }
}
