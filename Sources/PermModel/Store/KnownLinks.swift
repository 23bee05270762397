package import Machine

/// The symbolic links to programs that put each new version into a new file, for example `~/.local/bin/claude`, which
/// leads to the newest of several versions. `permtui connect` records them.
///
/// The file beside the store has one absolute path in each line.
package struct KnownLinks: Hashable, Sendable {
  package var paths: [String] = []

  package static let fileName = "known-links"
  private static let longestFile = 65_536

  package init() {}

  /// Reads the file in a store's folder. If there is none, or if others can write to it, no links are known.
  package init(inFolder folder: String) {
    let file = "\(folder)/\(Self.fileName)"
    guard let status = FileStatus(file, followingLinks: false), status.kind == .file, status.isOwn,
      !status.isWritableByOthers, let bytes = try? Files.bytes(of: file, limit: Self.longestFile)
    else { return }
    paths = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
      .filter { $0.hasPrefix("/") }
  }

  /// Whether a file has taken the place of another one: a known link leads to it now, it lies below the folder of the
  /// earlier file, and both have the same owner.
  package func isReplacement(_ path: String, of earlier: String) -> Bool {
    let folder = earlier.folderOfPath
    guard path.hasPrefix(folder + "/"), paths.contains(where: { Paths.resolved($0) == path }),
      let owner = FileStatus(path)?.owner
    else { return false }
    // The earlier file might be gone, so the owner of its folder counts instead.
    return owner == (FileStatus(earlier, followingLinks: false) ?? FileStatus(folder))?.owner
  }

  /// Adds a link to the file in a store's folder, or removes it from the file.
  package static func set(_ link: String, isKnown: Bool, inFolder folder: String) throws(SystemError) {
    let known = KnownLinks(inFolder: folder).paths
    guard known.contains(link) != isKnown else { return }
    let paths = isKnown ? known + [link] : known.filter { $0 != link }
    try Folder.make(folder)
    try Files.replace("\(folder)/\(fileName)", text: paths.map { $0 + "\n" }.joined())
  }
}
