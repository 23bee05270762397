/// The known facts about the values of a request on this machine. They are looked up when the request arrives, and
/// again when it is answered.
package struct ValueFacts: Hashable, Sendable, Codable {
  /// The facts about the paths that are asked for. A path that is exactly as it was spelled has no entry.
  package var paths: [PathFact] = []
  /// The folders that were named as single entries, without what is in them; `nil` if there are none.
  package var namedFolders: Set<Scope>?
  /// The folder of the project: the nearest folder with `.git`, otherwise the program's working folder.
  package var project: Scope?
  /// The names of the command forms to which the asked lines, or the parts of joined lines, belong, and whose conditions
  /// hold here.
  package var forms: Set<String> = []
  /// The reason why the form of a line is not among ``forms``, in words that can follow "because"; `nil` if there is none.
  package var formsReason: String?
  /// The name of a program that may write in the agent's folder without being asked, if a line runs what files there say;
  /// otherwise `nil`.
  package var writer: String?
  /// The names of this machine whose connections a variable leads to a proxy, if a line could connect to one of them;
  /// otherwise `nil`.
  package var proxied: Set<String>?
  /// The words of the asked lines that are files here, or lead out of the agent's folder; `nil` if they were not looked
  /// up.
  package var words: WordFacts?
  /// Whether an agent wants to run its command in another folder than the one in which it began.
  package var isElsewhere = false
  /// The protocol in which the values were asked for; `nil` if the request came over the broker's own.
  package var dialect: Dialect?
  /// The reason why only an answer to this very request can allow the values, in words that can follow "because"; `nil`
  /// if decisions can allow them, too.
  package var onceReason: String?
  /// The protected names that were found directly in the folders on offer; `nil` if there are none, or if they were not
  /// looked up.
  package var protected: [ProtectedFact]?

  package init() {}

  /// Whether the asking program itself chooses which program a line runs. A script for Deno lists the folders in which
  /// a name is looked up.
  package func leavesProgramOpen(_ scope: Scope) -> Bool {
    guard dialect == .deno, case .command(let line) = scope else { return false }
    return !line.utf8.contains(UInt8(ascii: "/"))
  }

  /// Returns values in which folders that were named as single entries stand for all that is in them.
  package func withAllBelow(_ values: [Scope]) -> [Scope] {
    values.map { value in
      if case .path(let path) = value, namedFolders?.contains(value) == true { .folder(path) } else { value }
    }
  }

  /// The doubts about paths, in words.
  package var doubts: [String] { paths.compactMap(\.doubt) }
}

/// The known facts about the words of command lines, any of which could fill a hole.
package struct WordFacts: Hashable, Sendable, Codable {
  /// The words that are existing files or folders in the agent's folder, which the agent may read.
  package var files: Set<String> = []
  /// The words that lead, as paths, out of that folder, or nobody knows where to.
  package var leadingOut: Set<String> = []
  /// The folders to which a line changes first that are, without a link, the agent's own folder.
  package var here: Set<String> = []
  /// Those that are below it.
  package var below: Set<String> = []

  package init(
    files: Set<String> = [], leadingOut: Set<String> = [], here: Set<String> = [], below: Set<String> = []
  ) {
    self.files = files
    self.leadingOut = leadingOut
    self.here = here
    self.below = below
  }
}

/// The known facts about one path that is asked for.
package struct PathFact: Hashable, Sendable, Codable {
  /// The scope that is asked for and decided.
  package var scope: Scope
  /// The path as it was spelled, made absolute; `nil` if it is the same.
  package var spelling: Scope?
  /// The path as the program wrote it, made absolute, if it contains `..`. Links decide what that means, so
  /// ``spelling`` can be the name of another file. Denials of that name count nevertheless, but it is neither shown
  /// nor reported.
  package var written: String?
  /// The reason in words why it is not certain which file is meant; `nil` if it is certain. If there is a doubt,
  /// ``scope`` holds the path as it was spelled.
  package var doubt: String?
  /// The file's identity, if the file has several names (hard links).
  package var file: LinkedFile?
  /// The other names of the file under which it is denied or forbidden: by a hard link, or in a folder that has another
  /// name itself. `nil` if there are none.
  package var deniedLinks: [Scope]?

  package init(
    scope: Scope, spelling: Scope? = nil, written: String? = nil, doubt: String? = nil,
    file: LinkedFile? = nil, deniedLinks: [Scope]? = nil
  ) {
    self.scope = scope
    self.spelling = spelling
    self.written = written
    self.doubt = doubt
    self.file = file
    self.deniedLinks = deniedLinks
  }
}

/// The identity of a file with several names.
package struct LinkedFile: Hashable, Sendable, Codable {
  package var device: UInt64
  package var inode: UInt64

  package init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }
}
