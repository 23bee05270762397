import Glibc
import PermModel

/// Reads a limited number of bytes of a file; returns `nil` if it cannot be opened or read.
func readBytes(_ path: String, atMost limit: Int) -> [UInt8]? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: min(limit, 16_384))
  while bytes.count < limit {
    let count = read(descriptor, &chunk, min(chunk.count, limit - bytes.count))
    if count < 0 { return nil }
    if count == 0 { break }
    bytes += chunk[..<count]
  }
  return bytes
}

/// Returns the target of a symbolic link; `nil` if it cannot be read.
func readLink(_ path: String) -> String? {
  var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
  let count = target.withUnsafeMutableBytes { buffer -> Int in
    guard let start = buffer.baseAddress else { return -1 }
    return readlink(path, start.assumingMemoryBound(to: CChar.self), buffer.count)
  }
  return count < 0 ? nil : String(decoding: target[..<count], as: UTF8.self)
}

/// Returns the kernel's status of a file, following symbolic links; `nil` if there is none.
func fileStatus(_ path: String) -> stat? {
  var status = stat()
  return stat(path, &status) == 0 ? status : nil
}

/// Returns the names in a folder, without `.` and `..`; none if it cannot be read.
func folderEntries(_ path: String) -> [String] {
  guard let folder = opendir(path) else { return [] }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names
}
