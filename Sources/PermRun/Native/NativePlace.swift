import CFuse
import CWalls
import Machine
import PermModel

/// The places on this machine where a folder can be used as it is outside.
struct NativePlace: Sendable {
  /// The working folder of the run.
  var working: AbsolutePath
  var protected: ProtectedNames
  var hidden: HiddenNames
  var answering: AnsweringFileSystems
  /// The folders that look different behind the walls.
  var own: [AbsolutePath]

  /// The reason why nothing may be used natively at a path; `nil` if there is none.
  ///
  /// - Parameter descriptor: The folder at the path.
  func objection(to path: AbsolutePath, _ descriptor: Int32) -> String? {
    if path == working || path.isAbove(working) { return "the program works in it" }
    if let root = Self.roots.first(where: { has($0, descriptor) }) {
      return "it is a project's, as it has \(root) in it"
    }
    if own.contains(where: { path == $0 || path.isAbove($0) || $0.isAbove(path) }) {
      return "it looks different behind the walls"
    }
    if hidden.contain(path) || hidden.areBelow(path) { return "PermTUI keeps its own files there" }
    if protected.contain(path) || protected.areBelow(path) || RepositoryName(path) != .outside {
      return "it is protected, or something in it would be"
    }
    let isAnswered = answering.kind(of: path) != nil || NodeTable.isForeign(descriptor)
    return isAnswered ? "another program or machine answers for its files" : nil
  }

  /// The names by which the folder of a project is known. What is in it is run when a person builds or opens the project.
  private static let roots = [
    ".git", ".hg", ".svn", ".jj", "package.json", "Cargo.toml", "Package.swift", "go.mod", "pyproject.toml",
    "setup.py", "Makefile", "CMakeLists.txt", "deno.json", "pom.xml", "build.gradle", "Gemfile",
  ]

  private func has(_ name: String, _ folder: Int32) -> Bool {
    var status = stat()
    return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0
  }

}

extension NativePlace {
  /// - Parameters:
  ///   - working: The working folder of the run.
  ///   - store: The path of the store with the decisions.
  static func current(
    working: String, store: String, _ variables: [String: String]
  ) throws(WallsFailure) -> NativePlace {
    guard let folder = try? AbsolutePath(working) else { throw WallsFailure("the working folder is gone") }
    let own = (SystemFiles.bound + ["/tmp", "/dev", "/proc", "/sys"]).compactMap { try? AbsolutePath($0) }
    return NativePlace(
      working: folder, protected: ProtectedNames.current.protecting(storeAt: store).behindWalls,
      hidden: HiddenNames.current(variables, home: Users.homeFolder, user: Users.current, store: store),
      answering: .current, own: own)
  }
}

extension AbsolutePath {
  /// The path as a text, in which bytes that are no UTF-8 are replaced.
  var decoded: String { String(decoding: bytes, as: UTF8.self) }
}

/// The end of a run whose native folders must not be used any longer: they cannot be taken back from its programs.
struct NativeGuard: Sendable {
  let folders: [NativeFolder]
  let rulings: any Rulings
  let notes: Notes
  /// Ends the run.
  let end: @Sendable () -> Void

  /// Returns the first folder of which something is denied now, by a decision, by the machine's policy or in a panic. The
  /// shadow knows nothing of the folders, so that it asks if one has lost its place there.
  func denied() -> NativeFolder? {
    folders.first { folder in
      folder.uses.contains { [.denied, .suspended].contains(rulings.ruling(on: $0)) }
    }
  }

  /// Makes sure that the folders may be used, says so, and begins to watch that they still may.
  func begin() throws(WallsFailure) {
    guard !folders.isEmpty else { return }
    if let folder = denied() {
      throw WallsFailure(
        "\(name(of: folder)) cannot be used as it is outside: a decision, the policy or a panic is against it"
      )
    }
    for folder in folders {
      notes.note(
        "\(name(of: folder)) is used as it is outside: nothing is asked there, and nothing can be taken back. "
          + "A panic ends the program")
    }
    rulings.onChange { [self] in
      guard let folder = denied() else { return }
      notes.note("\(name(of: folder)) cannot be taken back from the program, so everything inside ends")
      end()
    }
  }

  private func name(of folder: NativeFolder) -> String { Scope.path(folder.path).text }
}
