import Glibc

/// The file that a process means by a path.
package struct ResolvedPath: Hashable, Sendable {
  /// The absolute path without links, as this process sees it. Linux requires no encoding of its bytes.
  package var path: [UInt8]
  /// The path as it was spelled, made absolute by its text alone: without `.`, `..` and repeated slashes.
  package var spelling: [UInt8]
  /// The file or folder at the path; `nil` if it does not exist yet. Nor need the folders in front of it.
  package var entry: FileStatus?
  /// The path as it was spelled, after the folder at which it starts; `nil` if it contains no `..`. Links decide what
  /// `..` means, so ``spelling`` can be the name of another file.
  package var written: [UInt8]?

  /// Whether a link leads somewhere other than the text of the path says.
  package var leadsElsewhere: Bool { path != spelling }

  /// Returns a path as an absolute path, without asking the kernel. As in the kernel, `..` never leads out of
  /// the root of the process: the folder `start` if the path is absolute, otherwise `/`.
  package static func spelling(_ spelled: [UInt8], from start: [UInt8]) -> [UInt8] {
    var parts = start.split(separator: slash)
    let root = spelled.first == slash ? parts.count : 0
    for part in spelled.split(separator: slash) where !part.elementsEqual(".".utf8) {
      if !part.elementsEqual("..".utf8) {
        parts.append(part)
      } else if parts.count > root {
        parts.removeLast()
      }
    }
    return parts.isEmpty ? [slash] : parts.flatMap { [slash] + $0 }
  }

  /// Returns a path after the folder at which it starts, with every `..` in it; `nil` if it contains none.
  static func written(_ spelled: [UInt8], from start: [UInt8]) -> [UInt8]? {
    let parts = spelled.split(separator: slash)
    guard parts.contains(where: { $0.elementsEqual("..".utf8) }) else { return nil }
    let all = start.split(separator: slash) + parts
    let bytes: [UInt8] = all.flatMap { [slash] + $0 }
    return bytes
  }

  package static let slash = UInt8(ascii: "/")
}

/// The reason why it is not certain which file a process means by a path.
package enum PathDoubt: Error, Hashable, Sendable {
  case processEnded, otherMounts, otherRoot
  case notAPath, tooLong, missing, notAFolder, danglingLink, endlessLinks, moved
  case inProc, unknownFileSystem, notPermitted, tooSlow
  /// Any other failure of the kernel, with its error number.
  case failed(Int32)

  /// Returns the doubt that follows from an error number of the kernel.
  init(code: Int32) {
    switch code {
    case ENOENT: self = .missing
    case ENOTDIR: self = .notAFolder
    case ELOOP: self = .endlessLinks
    case ENAMETOOLONG: self = .tooLong
    case ESRCH: self = .processEnded
    case EACCES, EPERM: self = .notPermitted
    case EAGAIN: self = .moved
    default: self = .failed(code)
    }
  }

  /// The words that complete the sentence "It is not certain which file is meant: …".
  package var reason: String {
    switch self {
    case .processEnded: "the process has ended"
    case .otherMounts: "the process sees other file systems, for example in a container"
    case .otherRoot: "the process has a root folder of its own"
    case .notAPath: "the path is empty or contains a NUL"
    case .tooLong: "the path or a name in it is too long"
    case .missing: "a folder on the way does not exist"
    case .notAFolder: "a part on the way is not a folder"
    case .danglingLink: "the path is a link to a file that does not exist"
    case .endlessLinks: "links on the way lead in a circle, or to what a process has open"
    case .moved: "the file or a folder on the way has been removed, moved or covered"
    case .inProc: "the path is in /proc, which looks different to each process"
    case .unknownFileSystem: "the file system is of a kind that can change what a path means"
    case .notPermitted: "the path or the process must not be examined"
    case .tooSlow: "the file system does not answer in time"
    case .failed(let code): SystemError.reason(code)
    }
  }
}
