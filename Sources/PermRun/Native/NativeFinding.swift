import CFuse
import PermModel

/// Something in a native folder that counts beyond it.
struct NativeFinding: Hashable {
  enum Kind {
    case protectedName, protectedLink, protectedOtherName, changesUser, socket, pipe, device, leadsOut,
      otherName, otherFileSystem, tooDeep,
      unreadable
  }

  let kind: Kind
  /// The path below the folder; empty for the folder itself.
  let path: [UInt8]
  /// The state of a protected name's file; `nil` for other findings.
  var file: State?

  /// A file and the moment of its last change. If another one has its name in the end, that is a finding.
  struct State: Hashable {
    let file: FileKey
    let seconds, nanoseconds: Int

    init(_ status: stat) {
      file = FileKey(status)
      (seconds, nanoseconds) = (Int(status.st_ctim.tv_sec), Int(status.st_ctim.tv_nsec))
    }
  }

  /// Whether a folder with it is not used natively. What only counts once somebody outside uses it may have been there, and
  /// a protected name is mounted so that nobody inside changes it.
  var isRefused: Bool { ![.changesUser, .leadsOut, .protectedName].contains(kind) }

  /// The end of a sentence that begins with the name of the file and says why the file is listed.
  var words: String {
    switch kind {
    case .protectedName: "is a protected name"
    case .protectedLink: "is a protected name, and a link"
    case .protectedOtherName: "is protected, and has another name that is not"
    case .changesUser: "is set-uid or set-gid"
    case .socket: "is a socket"
    case .pipe: "is a named pipe"
    case .device: "is a device"
    case .leadsOut: "is a link that leads out of the folder, or to nothing"
    case .otherName: "is a file that has another name outside of the folder"
    case .otherFileSystem: "is another file system"
    case .tooDeep: "lies so deep that it was not looked at"
    case .unreadable: "cannot be looked at"
    }
  }

  private static let longest = 400

  /// The finding as it is told about a folder with this name.
  func told(of folder: String) -> String {
    // A program can make names as long as it likes.
    let name = String(decoding: path.prefix(Self.longest), as: UTF8.self)
    let rest = path.count > Self.longest ? "…" : ""
    return "\(path.isEmpty ? folder : "\(folder)/\(name)\(rest)") \(words)"
  }
}

/// The findings about a native folder. Of very many, only the first are kept.
struct NativeFindings {
  private(set) var kept: Set<NativeFinding> = []
  /// The number of further ones.
  private(set) var further = 0
  /// Those that are left out, because they were there before.
  private let known: Set<NativeFinding>
  private let most: Int

  init(except known: Set<NativeFinding> = [], most: Int) { (self.known, self.most) = (known, most) }

  mutating func add(_ kind: NativeFinding.Kind, _ path: [UInt8], _ file: NativeFinding.State? = nil) {
    let finding = NativeFinding(kind: kind, path: path, file: file)
    guard !known.contains(finding) else { return }
    if kept.count < most { kept.insert(finding) } else { further += 1 }
  }
}
