import PermModel

/// Names of which a run gets a private copy.
struct CopyCover: Hashable {
  enum Reach: Hashable {
    case file, folder
    /// All names in the same folder that begin with the name.
    case beginning
    /// All names in the folder, except those that begin with one of these.
    case inside(except: [String])
  }

  var path: AbsolutePath
  var reach: Reach

  /// Whether a decision about the path is one about all that is in it.
  var isFolder: Bool {
    switch reach {
    case .file, .beginning: false
    case .folder, .inside: true
    }
  }
}

/// The names in one folder of which a run has private copies.
struct CoveredNames {
  private var names: Set<[UInt8]> = []
  private var beginnings: [[UInt8]] = []
  /// The beginnings of names that are left out.
  private var exceptions: [[UInt8]] = []

  func contains(_ name: some Collection<UInt8>) -> Bool {
    if names.contains(Array(name)) { return true }
    return beginnings.contains { name.starts(with: $0) } && !exceptions.contains { name.starts(with: $0) }
  }

  mutating func insert(_ cover: CopyCover) {
    switch cover.reach {
    case .file, .folder: names.insert(cover.path.lastName)
    case .beginning: beginnings.append(cover.path.lastName)
    case .inside(let except):
      beginnings.append([])
      exceptions += except.map { Array($0.utf8) }
    }
  }

  /// At least one name that is covered.
  var examples: [[UInt8]] { names + beginnings.map { $0 + Array("*".utf8) } }
}
