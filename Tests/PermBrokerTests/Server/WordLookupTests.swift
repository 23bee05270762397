import Foundation
import Testing

@testable import Machine
@testable import PermBroker
@testable import PermModel

@Suite("The files that the words of a line lead to")
struct WordLookupTests {
  private let place: PathPlace

  init() throws { place = try PathPlace() }

  private func facts(_ lines: String...) async -> WordFacts? {
    let folder = Array(place.path.utf8) + [ResolvedPath.slash]
    let resolver = PathResolver(patience: .seconds(20), mostThreads: 8) { path, view throws(PathDoubt) in
      let isAbsolute = path.first == ResolvedPath.slash
      return try PathLookup.resolve(isAbsolute ? path : folder + path, in: view)
    }
    return await WordLookup(resolver: resolver, asker: TestBroker.program("/x").peer).facts(about: lines)
  }

  @Test("Files and folders in the folder are known, also before :: and behind the name of an option")
  func files() async throws {
    try place.folder("src")
    try place.file("src/a.py")
    try place.link("alias", to: "src/a.py")
    let found = await facts("x src/a.py::test ./src --root=src alias 'src/a.py' new -v", "y missing/deep")
    #expect(found?.files == ["src/a.py", "./src", "src", "alias"])
    #expect(found?.leadingOut == [])
  }

  @Test("A word that leads out of the folder is known, whether or not it is a file")
  func leadingOut() async throws {
    try place.folder("inner")
    try place.link("out", to: "../../../..")
    try place.link("loop", to: "loop")
    try place.link("dangling", to: "../gone")
    let found = await facts("x out out/new loop dangling /etc/passwd .. ../y --f=out . inner/../inner")
    #expect(found?.files == [".", "inner/../inner"])
    #expect(
      found?.leadingOut == [
        "out", "out/new", "loop", "dangling", "/etc/passwd", "..", "../y",
      ])
  }

  @Test("A line can change to the folder itself and to one below it, but through no link")
  func changing() async throws {
    try place.folder("inner/deep")
    try place.folder("elsewhere")
    try place.link("out", to: "elsewhere")
    try place.file("file")
    let (path, other) = (place.path, place.folder.file("../x"))
    let found = await facts(
      "cd inner/deep && a", "cd ./inner && a", "cd ./ && a", "cd \(path) && a",
      "cd \(path)/inner && a | wc -l",
      "cd out && a", "cd file && a", "cd missing && a", "cd / && a", "cd \(other) && a", "cd inner; a",
      "cd inner/../inner && a", "cd && a", "cd - && a", "cd -P inner && a", "cd inner x && a", "cd ~ && a",
      "cd inner && cd deep && a", "cd inner || a", "cd inner && a; b", "cd inner && a || b", "cd $x && a")
    #expect(found?.here == ["./", path])
    #expect(found?.below == ["inner/deep", "./inner", "\(path)/inner"])
  }

  @Test("A word for neither a file nor a folder leads to none")
  func others() async throws {
    #expect(mkfifo(place.folder.file("pipe"), 0o600) == 0)
    #expect(await facts("x pipe") == WordFacts())
  }

  @Test("Of too many words nothing is known, so none fills a hole")
  func tooMany() async {
    #expect(await facts("x \((0..<65).map { "w\($0)" }.joined(separator: " "))") == nil)
    #expect(await facts("x 'a text that nobody looks up'") == WordFacts())
  }
}
