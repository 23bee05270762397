import Testing

@testable import PermModel

@Suite("A path that is denied under another name")
struct OtherNamesTests {
  private static let definition = Capability.Files.definition
  private static let subject = Subject(label: "player", path: "/usr/bin/player")

  private func decided(
    _ decisions: [(Verdict, String)], restricted: Set<String> = [], _ facts: [PathFact]
  ) throws -> DecidedAtoms {
    let kept = try decisions.map { verdict, text in
      Decision(
        subject: Self.subject, atom: try #require(Self.definition.atom(text)), verdict: verdict,
        lifetime: .forever, origin: .commandLine, decidedAt: Timestamp(seconds: 1))
    }
    var values = ValueFacts()
    values.paths = facts
    return DecidedAtoms(
      Self.definition, decisions: kept, restricted: Set(restricted.compactMap { Self.definition.atom($0) }),
      facts: values)
  }

  private func state(_ decided: DecidedAtoms, _ text: String) throws -> AtomState {
    decided.state(of: try #require(Self.definition.atom(text)))
  }

  private func scope(_ text: String) throws -> Scope { try Scope(text, kind: .path) }

  @Test(
    "A denial of the spelling, of a folder of it, or by the policy counts more than an allow of the file",
    arguments: ["read@/links/a", "read@/links/", "read@*"])
  func spelling(_ denied: String) throws {
    let fact = PathFact(scope: try scope("/srv/a"), spelling: try scope("/links/a"))
    let kept = try decided([(.deny, denied), (.allow, "read@/srv/a")], [fact])
    #expect(try state(kept, "read@/srv/a") == .denied)
    #expect(try state(kept, "write@/srv/a") == .denied)
    let policy = try decided([(.allow, "read@/srv/a")], restricted: [denied], [fact])
    #expect(try state(policy, "read@/srv/a") == .restricted)
  }

  @Test("An allow of the spelling alone decides nothing, and a denial of writing leaves reading open")
  func open() throws {
    let fact = PathFact(scope: try scope("/srv/a"), spelling: try scope("/links/a"))
    let decided = try decided([(.allow, "read@/links/"), (.deny, "write@/links/a")], [fact])
    #expect(try state(decided, "read@/srv/a") == .undecided)
    #expect(try state(decided, "write@/srv/a") == .denied)
  }

  @Test("A folder that is reached through a link is denied if something below its spelling is")
  func folder() throws {
    let fact = PathFact(scope: try scope("/srv/"), spelling: try scope("/links/"))
    #expect(try state(try decided([(.deny, "read@/links/a")], [fact]), "read@/srv/") == .denied)
  }

  @Test("A file is denied or forbidden if it is under another of its names, and the decision there counts")
  func hardLink() throws {
    let file = LinkedFile(device: 1, inode: 2)
    let fact = PathFact(scope: try scope("/srv/a"), file: file, deniedLinks: [try scope("/secret/a")])
    let atoms: Set = [Atom("files", "read", try scope("/srv/a"))]
    let denied = try decided([(.deny, "read@/secret/a"), (.allow, "read@/srv/a")], [fact])
    #expect(try state(denied, "read@/srv/a") == .denied)
    #expect(denied.decisions(behind: atoms).map(\.atom.description) == ["files:read@/secret/a"])
    #expect(try state(denied, "read@/srv/b") == .undecided)
    let writing = try decided([(.deny, "write@/secret/a"), (.allow, "read@/srv/a")], [fact])
    #expect(try state(writing, "read@/srv/a") == .allowed)
    let forbidden = try decided([(.allow, "read@/srv/a")], restricted: ["read@/secret/a"], [fact])
    #expect(try state(forbidden, "read@/srv/a") == .restricted)
    // The denial can be taken back while the request waits.
    #expect(try state(try decided([(.allow, "read@/srv/a")], [fact]), "read@/srv/a") == .allowed)
  }

  @Test(
    "As long as it is not known whether the policy forbids another name of a file, only brief answers allow it"
  )
  func slowLook() throws {
    let file = LinkedFile(device: 1, inode: 2)
    let slow = PathFact(scope: try scope("/srv/a"), doubt: "it took too long", file: file)
    let kept = try decided(
      [(.allow, "read@/srv/a"), (.allow, "read@/srv/")], restricted: ["read@/secret/a"], [slow])
    #expect(try state(kept, "read@/srv/a") == .undecided)
    let atoms: Set = [Atom("files", "read", try scope("/srv/a"))]
    let moment = Timestamp(seconds: 1)
    #expect(!kept.answering(.allow, atoms, at: moment, isKept: true).allows(atoms))
    let brief = kept.answering(.allow, atoms, at: moment)
    #expect(brief.allows(atoms))
    // Once it is known, the policy counts first, whatever was answered before.
    let found = PathFact(scope: try scope("/srv/a"), file: file, deniedLinks: [try scope("/secret/a")])
    let told = try decided([(.allow, "read@/srv/a")], restricted: ["read@/secret/a"], [found])
    #expect(try state(told.answering(.allow, atoms, at: moment), "read@/srv/a") == .restricted)
  }

  @Test("The decisions about each name are looked up, and all decisions if the file has several names")
  func lookUp() throws {
    func request(_ facts: [PathFact]) throws -> Request {
      var values = ValueFacts()
      values.paths = facts
      return Request(
        id: Request.ID("r"), subject: Self.subject, capability: "files",
        atoms: [Atom("files", "read", try scope("/srv/a"))], askedAt: Timestamp(seconds: 0), facts: values)
    }
    let both = try request([PathFact(scope: try scope("/srv/a"), spelling: try scope("/links/a"))])
    #expect(
      try both.facts.needed(for: both.atoms)?.map(\.scope).sorted { $0.text < $1.text } == [
        scope("/links/a"), scope("/srv/a"),
      ])
    #expect(try both.atomsAsSpelled.map(\.scope) == [scope("/links/a")])
    let linked = PathFact(scope: try scope("/srv/a"), file: LinkedFile(device: 1, inode: 2))
    let several = try request([linked])
    #expect(several.facts.needed(for: several.atoms) == nil)
  }
}
