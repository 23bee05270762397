/// The calendars or address books of a user. They are stored in Evolution's folders or in vdirs. A vdir is a folder
/// with one file for each item.
struct PersonalCollections {
  /// The folders in which to look for collections. They need not exist.
  let roots: [String]
  /// The folder into which the person is advised to put files if there is no collection.
  private let suggested: String
  /// The word for a collection in a sentence, for example `calendar`.
  private let noun: String
  /// The file extension of the items in a collection, including the dot, for example `.ics`.
  private let ending: String
  /// The name of the database in which Evolution keeps a collection; `nil` if Evolution keeps it in files
  /// with the extension `ending` instead.
  private let database: String?
  private let fileSystem = FileSystem()

  static func calendars(_ environment: ProbeEnvironment) -> Self {
    let evolution = ["calendar", "tasks"].map { "\(environment.dataHome)/evolution/\($0)" }
    let folder = environment.shortened(environment.calendarFolders.first ?? environment.home)
    return Self(
      roots: evolution + environment.calendarFolders, suggested: folder, noun: "calendar", ending: ".ics",
      database: nil)
  }

  static func addressBooks(_ environment: ProbeEnvironment) -> Self {
    let folder = environment.shortened(environment.contactFolders.first ?? environment.home)
    return Self(
      roots: ["\(environment.dataHome)/evolution/addressbook"] + environment.contactFolders,
      suggested: folder, noun: "address book", ending: ".vcf", database: "contacts.db")
  }

  /// Returns the folders that contain at least one file of a collection.
  func folders() -> [String] {
    roots.flatMap { root in
      ([root] + fileSystem.names(in: root).map { "\(root)/\($0)" }).filter { folder in
        fileSystem.names(in: folder).contains { $0.hasSuffix(ending) || $0 == database }
      }
    }
  }

  /// Returns the contents of all files in one collection, sorted by file name. Files that cannot be read are left out.
  func texts(in folder: String, limit: Int) -> some Sequence<String> {
    fileSystem.names(in: folder).lazy.filter { $0.hasSuffix(ending) }.compactMap {
      fileSystem.text(of: "\(folder)/\($0)", limit: limit)
    }
  }

  /// Returns a count together with the noun, for example `2 calendars`.
  func words(_ count: Int) -> String { count == 1 ? "1 \(noun)" : "\(count) \(noun)s" }

  func availability() -> Availability {
    let count = folders().count
    guard count > 0 else {
      return .missing(
        "no \(noun) is stored on this machine",
        remedy: "add one in Evolution, or put \(ending) files into \(suggested)")
    }
    return .available(found: words(count))
  }
}
