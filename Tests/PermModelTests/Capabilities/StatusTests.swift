import Glibc
import Testing
import Waiting

@testable import PermModel

@Suite("Statuses and requirements", .usesOneThread)
struct StatusTests {
  /// Returns all possible decisions about a few atoms: each undecided, allowed, denied or restricted.
  static func worlds(of definition: CapabilityDefinition, atoms: [Atom]) -> [DecidedAtoms] {
    let states: [AtomState] = AtomState.allCases
    var worlds: [[AtomState]] = [[]]
    for _ in atoms { worlds = worlds.flatMap { world in states.map { world + [$0] } } }
    return worlds.map { world in
      let pairs = Array(zip(atoms, world))
      let decisions = pairs.compactMap { atom, state -> Decision? in
        guard state == .allowed || state == .denied else { return nil }
        return Decision(
          subject: Subject(label: "x"), atom: atom, verdict: state == .allowed ? .allow : .deny,
          lifetime: .forever, origin: .commandLine, decidedAt: Timestamp(seconds: 1))
      }
      let restricted = Set(pairs.filter { $0.1 == .restricted }.map(\.0))
      return DecidedAtoms(definition, decisions: decisions, restricted: restricted)
    }
  }

  static func subsets(_ atoms: [Atom]) -> [Set<Atom>] {
    (0..<(1 << atoms.count)).map { mask in
      Set(atoms.enumerated().filter { mask & (1 << $0.offset) != 0 }.map(\.element))
    }
  }

  static func chosenAtoms(_ definition: CapabilityDefinition) -> [Atom] {
    let containers =
      definition.parts.first?.values == .name
      ? [Atom(definition.name, definition.parts[0].name, .name("nas"))] : []
    return Array((containers + definition.atoms).prefix(4))
  }

  @Test(
    "Meeting is monotone: more allowed never meets less, and who meets much meets less",
    arguments: CapabilityCatalogue.builtIn.capabilities.map(\.definition.name))
  func monotone(name: String) throws {
    let descriptor = try #require(CapabilityCatalogue.builtIn[name])
    let atoms = Self.chosenAtoms(descriptor.definition)
    let requirements = Self.subsets(atoms)
    var found: [(allowed: Set<Atom>, restricted: Set<Atom>, meets: [Bool])] = []
    for decided in Self.worlds(of: descriptor.definition, atoms: atoms) {
      let facts = CapabilityFacts(decided: decided, availability: .available(found: ""))
      let meets = met(requirements, by: descriptor.capability(asking: []), facts)
      for (small, isSmallMet) in zip(requirements, meets) {
        for (large, isLargeMet) in zip(requirements, meets) where small.isSubset(of: large) {
          #expect(isSmallMet || !isLargeMet, "\(name): \(large) is met and \(small) is not")
        }
      }
      let all = Set(atoms + descriptor.definition.atoms)
      found.append((decided.atoms(all, in: [.allowed]), decided.atoms(all, in: [.restricted]), meets))
    }
    for small in found {
      for large in found
      where small.allowed.isSubset(of: large.allowed) && large.restricted.isSubset(of: small.restricted) {
        for (isSmallMet, isLargeMet) in zip(small.meets, large.meets) {
          #expect(isLargeMet || !isSmallMet, "\(name): \(small.allowed) meets more than \(large.allowed)")
        }
      }
    }
  }

  @Test(
    "A requirement is met exactly if everything that it asks for is allowed",
    arguments: CapabilityCatalogue.builtIn.capabilities.map(\.definition.name))
  func inclusion(name: String) throws {
    let descriptor = try #require(CapabilityCatalogue.builtIn[name])
    let atoms = Array(descriptor.definition.atoms.prefix(4))
    for decided in Self.worlds(of: descriptor.definition, atoms: atoms) {
      let facts = CapabilityFacts(decided: decided, availability: .available(found: ""))
      for requirement in Self.subsets(atoms) {
        let capability = descriptor.capability(asking: requirement)
        let isMet = descriptor.status(for: requirement, from: facts).isMet
        let allowed = decided.allows(capability.requirementAtoms)
        let isBlocked = name == "cloud" && decided.state(of: "read") == .restricted && requirement.isEmpty
        #expect(isMet == (allowed && !isBlocked), "\(name) \(requirement) \(facts)")
      }
    }
  }

  @Test("Health: nothing asked is met, partly and mixed are not, and each type has its own state")
  func health() {
    typealias Health = Capability.Health
    #expect(Health.Status().meets(.init()))
    let partly = Health.Status(share: [.steps: .allowed], read: [.heart: .denied])
    #expect(partly.meets(.init(share: [.steps])))
    #expect(!partly.meets(.init(share: [.steps], read: [.heart])))
    #expect(!partly.meets(.init(read: [.steps])))
    #expect(partly.summary == .mixed)
    #expect(partly.description == "share steps allowed, read heart denied")
  }

  @Test("Cloud: an account error is no matter of permission, and the other way round")
  func cloud() {
    typealias Cloud = Capability.Cloud
    let wanted = Cloud.Requirement([.read])
    let none = Cloud.Status(account: .noAccount, read: .allowed)
    let unknown = Cloud.Status(account: .couldNotDetermine(reason: "locked"), read: .allowed)
    let missing = Cloud.Status(account: .available, read: .denied)
    for status in [none, unknown, missing] { #expect(!status.meets(wanted)) }
    #expect(!none.meets(.init()))
    #expect(missing.meets(.init()))
    #expect(none.description == "no account")
    #expect(unknown.description == "could not determine: locked")
    #expect(missing.description == "read denied")
    let one = Cloud.Status(account: .available, container: "nas", read: .allowed)
    #expect(one.meets(.init([.read], container: "nas")))
    #expect(!one.meets(wanted))
  }

  @Test("Cloud's account state comes from the probe, and restricted from the policy")
  func cloudAccount() {
    let capability = Capability.Cloud(.read)
    func account(_ availability: Availability, restricted: Set<Atom> = []) -> Capability.Cloud.Account {
      let decided = DecidedAtoms(capability.definition, restricted: restricted)
      return capability.status(from: CapabilityFacts(decided: decided, availability: availability)).account
    }
    #expect(account(.missing("none", remedy: "")) == .noAccount)
    #expect(account(.undetermined("locked", remedy: "")) == .couldNotDetermine(reason: "locked"))
    #expect(account(.available(found: "nas")) == .available)
    #expect(account(.available(found: "nas"), restricted: [Atom("cloud", "read")]) == .restricted)
  }

  @Test("Location: always meets when in use; precision is asked on top")
  func location() {
    typealias Location = Capability.Location
    #expect(Location.Status(.always).meets(.whenInUse))
    #expect(!Location.Status(.whenInUse).meets(.always))
    let exact = Location.Requirement(.whenInUse, precision: .precise)
    #expect(!Location.Status(.always).meets(exact))
    #expect(Location.Status(.whenInUse, precise: .allowed).meets(exact))
    #expect(Location.Status(.whenInUse, precise: .allowed).description == "when in use, precise")
  }

  @Test("Photos: limited meets limited; notifications: provisional meets provisional")
  func partialStates() {
    #expect(Capability.Photos.Status(.limited).meets(.limited))
    #expect(!Capability.Photos.Status(.limited).meets(.read))
    #expect(Capability.Photos.Status(.limited).summary == .mixed)
    let quiet = Capability.Notifications.Status(.provisional)
    #expect(quiet.meets(.init([.provisional])))
    #expect(!quiet.meets(.alert))
  }

  @Test("Passbook is met whatever was decided, and tells only whether it is enabled")
  func passbook() {
    let passbook = Capability.Passbook()
    let decided = DecidedAtoms(passbook.definition)
    let enabled = passbook.status(
      from: CapabilityFacts(decided: decided, availability: .available(found: "")))
    let missing = CapabilityFacts(decided: decided, availability: .missing("", remedy: ""))
    #expect(enabled == .enabled)
    #expect(passbook.status(from: missing) == .notEnabled)
    #expect(Capability.Passbook.Status.notEnabled.meets(.init()))
  }

  @Test("Restricted and denied are told apart")
  func restricted() {
    let camera = Capability.Camera()
    let facts = CapabilityFacts(
      decided: DecidedAtoms(camera.definition, restricted: [Atom("camera")]),
      availability: .available(found: ""))
    #expect(camera.status(from: facts) == .restricted)
  }

  @Test("Atoms with tables of their own have nothing to do with each other: several are met when each is")
  func independent() {
    var generator = SystemRandomNumberGenerator()
    for descriptor in CapabilityCatalogue.builtIn.capabilities {
      let definition = descriptor.definition
      for _ in 0..<100 {
        let decisions = definition.atoms.shuffled(using: &generator).enumerated().compactMap { index, atom in
          Verdict.allCases.randomElement().flatMap { verdict in
            Bool.random()
              ? nil
              : Decision(
                subject: Subject(label: "program"), atom: atom, verdict: verdict, lifetime: .forever,
                origin: .commandLine, decidedAt: Timestamp(seconds: Int64(index)))
          }
        }
        let facts = CapabilityFacts(
          decided: DecidedAtoms(definition, decisions: decisions), availability: .available(found: ""))
        let asked = Set(definition.atoms.filter { _ in Bool.random() })
        guard !asked.isEmpty else { continue }
        let parts = definition.independentAtoms.map { asked.intersection($0) }.filter { !$0.isEmpty }
        let each = parts.allSatisfy { descriptor.status(for: $0, from: facts).isMet }
        #expect(descriptor.status(for: asked, from: facts).isMet == each, "\(asked), \(decisions)")
      }
    }
  }

  private func write(_ text: String, to path: String) throws {
    let file = try #require(fopen(path, "w"))
    defer { fclose(file) }
    fputs(text, file)
  }

  @Test("The table in the documentation is the one that the code makes")
  func documentation() throws {
    let folder = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()
    let path = "\(folder)/docs/capabilities.md"
    if getenv("PERMTUI_UPDATE_GOLDENS") != nil { try write(MeetsTable().markdown, to: path) }
    let written = FileSystem().text(of: path)
    #expect(
      written == MeetsTable().markdown,
      "docs/capabilities.md is out of date: run the tests with PERMTUI_UPDATE_GOLDENS=1")
  }
}

/// Returns which of many requirements one status meets.
private func met<C: CapabilityType>(
  _ requirements: [Set<Atom>], by capability: C, _ facts: CapabilityFacts
) -> [Bool] {
  let status = capability.status(from: facts)
  return requirements.map { status.meets(C.Requirement(atoms: $0)) }
}
