import Testing

@testable import PermModel

@Suite("The hint at the usual rules for a project")
struct ProjectHintTests {
  private func hint(_ label: String, in folder: ProgramFolder?, _ identity: IdentityCheck) -> String? {
    let subject = Subject(label: label, path: "/usr/bin/agent", file: nil, folder: folder)
    let request = Request(
      id: Request.ID("1"), subject: subject, capability: "photos", atoms: [Atom("photos", "read")],
      askedAt: Timestamp(seconds: 0))
    let alert = RequestAlert(
      request: request, title: "Photos", action: "read your photos", explanation: "All.", severity: .moderate,
      choices: Capability.Photos.definition.choices(for: request.atoms), identity: identity,
      lifetimes: LifetimeOffer.all(for: identity))
    let facts = RequestFacts(alert, choice: 0, visible: { $0 }, quoted: { $0 }, moment: nil, exact: nil)
    return facts.all.first { $0.heading == "Tip" }?.text
  }

  private let app = ProgramFolder(path: "/home/ana/app", device: 1, inode: 2)

  @Test("The first alert of an agent in a folder names the command, and no other alert does")
  func first() {
    #expect(hint("claude", in: app, .firstTime)?.contains("permtui connect claude --here") == true)
    #expect(hint("codex", in: app, .firstTime)?.contains("permtui connect codex --here") == true)
    for identity in [IdentityCheck.asSeen, .replaced, .onlyDenied, .mismatch(seenBefore: "/x")] {
      #expect(hint("claude", in: app, identity) == nil)
    }
    #expect(hint("claude", in: nil, .firstTime) == nil)
    #expect(hint("claude", in: .unknown, .firstTime) == nil)
    #expect(hint("backup", in: app, .firstTime) == nil)
  }
}
