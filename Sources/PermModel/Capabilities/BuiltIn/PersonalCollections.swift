/// The calendars or the address books of a user: folders of Evolution, and vdirs with one file for each item.
struct PersonalCollections {
  /// The folders that hold collections, whether they exist or not.
  let roots: [String]
  /// The folder that a person is told to put files into.
  private let suggested: String
  /// A collection in a sentence, for example `calendar`.
  private let noun: String
  /// The ending of a collection's files, for example `.ics`.
  private let ending: String
  /// The file that Evolution keeps a collection in, if it is not of this kind.
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

  /// Returns the folders with at least one file of a collection.
  func folders() -> [String] {
    roots.flatMap { root in
      ([root] + fileSystem.names(in: root).map { "\(root)/\($0)" }).filter { folder in
        fileSystem.names(in: folder).contains { $0.hasSuffix(ending) || $0 == database }
      }
    }
  }

  /// Returns the texts of all files in one collection, in order; a file that cannot be read is left out.
  func texts(in folder: String, limit: Int) -> some Sequence<String> {
    fileSystem.names(in: folder).lazy.filter { $0.hasSuffix(ending) }.compactMap {
      fileSystem.text(of: "\(folder)/\($0)", limit: limit)
    }
  }

  /// Returns the number of collections in words.
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
