import CFuse
import PermModel

// Companions of files that may be written. A use of a companion is a use of its file.
extension Shadow {
  /// The path that counts for a node: that of the file to which it is a companion, or its own.
  func counting(_ path: AbsolutePath, _ identity: FileKey) -> AbsolutePath {
    companions.file(of: path, identity) ?? path
  }

  /// The path that counts for an entry of a folder.
  func counting(_ name: Name, in parent: Node) throws(Failure) -> AbsolutePath {
    let path = try path(name, in: parent)
    guard companions.mayContain(path), let status = try? status(of: name, in: parent) else { return path }
    return counting(path, FileKey(status))
  }

  /// The path that counts when a file is made under a name, or moved there: that of the file whose companion it becomes, if
  /// that file may be written; else its own.
  func countingNew(_ name: Name, in parent: Node, _ mode: mode_t) throws(Failure) -> AbsolutePath {
    let path = try path(name, in: parent)
    guard !nodes.isCopied(name, in: parent) else { return path }
    let use = FileUse.write(path)
    guard mode & 0o111 == 0, try ruling(on: use) == .open, !rulings.isProtected(path),
      (try? status(of: name, in: parent)) == nil
    else { return path }
    return Companions.files(of: path).first { (try? ruling(on: .write($0))) == .allowed } ?? path
  }
}
