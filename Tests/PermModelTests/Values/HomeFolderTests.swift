import Testing

@testable import PermModel

@Suite("The home folder, in what people see")
struct HomeFolderTests {
  @Test(
    "is written as ~, and nothing else is",
    arguments: [
      ("/home/ana", "~"), ("/home/ana/", "~/"), ("/home/ana/src/a", "~/src/a"), ("/home/ana/~", "~/~"),
      ("/home/anabel/a", "/home/anabel/a"), ("/home/an", "/home/an"), ("/~/a", "/~/a"), ("/", "/"),
      ("/x/home/ana/a", "/x/home/ana/a"), ("", ""), ("bash", "bash"), ("~/a", "./~/a"), ("~", "./~"),
    ])
  func shortened(path: String, shown: String) {
    #expect(HomeFolder.shortened(path, home: "/home/ana") == shown)
  }

  @Test("is left as it is where it is unknown, or holds everything", arguments: ["", "/", "home"])
  func noHome(home: String) {
    #expect(HomeFolder.shortened("/home/ana/a", home: home) == "/home/ana/a")
  }

  @Test("is compared by its bytes, since other bytes are another folder")
  func bytes() {
    #expect(HomeFolder.shortened("/home/ren\u{e9}/a", home: "/home/rene\u{301}") == "/home/ren\u{e9}/a")
  }

  @Test("is shortened in the words for people only, and what they see can be read back")
  func scopes() throws {
    let path = try Scope("/home/re\\u{301}/~/a\\\\b/", kind: .path)
    let home = Scope.escaped(Array("/home/re\u{301}".utf8))
    #expect(path.shownText(home: home) == "~/~/a\\\\b/")
    #expect(path.text.hasPrefix("/home/"))
    for other in [Scope.name("/home/ana/a"), .command("cat /home/ana/a")] {
      #expect(other.shownText(home: "/home/ana") == other.text, "it is no path, or exactly this line")
    }
  }
}
