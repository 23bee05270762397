import CWalls
import PermModel

/// Reads the text of a symbolic link.
func targetOfLink(_ path: String) throws(Failure) -> [UInt8] {
  var text = [CChar](repeating: 0, count: AbsolutePath.longest)
  let length = try checked(readlink(path, &text, text.count))
  return text.prefix(length).map(UInt8.init(bitPattern:))
}
