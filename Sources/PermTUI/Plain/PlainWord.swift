import PermBroker
import PermModel

/// A word that a person types in plain mode. The dialogue, its help, docs/plain.md and the man page are all based on
/// this type.
enum PlainWord: String, CaseIterable, Sendable {
  case status, find, waiting, answer, together, programs, desktop, operations, log, day
  case allow, deny, forget, undo, redo, panic, lift, ask, example
  case help, quit

  /// The operands that the word accepts, as help shows them.
  var operands: String { entry.operands }

  var usage: String { operands.isEmpty ? rawValue : "\(rawValue) \(operands)" }

  /// The effect of the word, as help describes it.
  var help: String { entry.help }

  private var entry: (operands: String, help: String) {
    switch self {
    case .status:
      (
        "[CAPABILITY or PROGRAM]",
        "every capability and who may use it, or all about one of them, or about one program"
      )
    case .find:
      ("TEXT", "every line of status, programs, decisions about values, waiting and log that has the text")
    case .waiting: ("", "what waits for an answer, numbered")
    case .answer: ("NUMBER", "show again what was set aside, by its number under waiting")
    case .together:
      (
        "allow or deny NUMBER… [for LIFETIME]",
        "answer several requests at once, by their numbers under waiting; says first which, and asks"
      )
    case .programs: ("", "every program with what it may and may not use")
    case .desktop:
      (
        "[change or remove APP THING]",
        "what the desktop's own store says about apps; change narrows a row, or widens it after a question; remove lets "
          + "the app ask again"
      )
    case .operations: ("", "what runs, and what waits for what")
    case .log: ("[COUNT]", "what happened, the newest last; 20 lines unless a count is given")
    case .day:
      ("", "what became of the requests of today: the numbers of each program, then one line a request")
    case .allow:
      ("PROGRAM CAPABILITY [for LIFETIME]", "allow without being asked; forever unless a lifetime is given")
    case .deny:
      ("PROGRAM CAPABILITY [for LIFETIME]", "deny without being asked; forever unless a lifetime is given")
    case .forget: ("PROGRAM [CAPABILITY]", "back to undecided, so that the program asks again")
    case .undo: ("", "take back the last change of decisions; asks first if it was not yours just now")
    case .redo: ("", "make the change that was undone last again")
    case .panic: ("", "deny everything new and suspend all allows")
    case .lift: ("", "end the panic")
    case .ask: ("CAPABILITY", "ask for a capability in the name of the dashboard, as a program would")
    case .example: ("CAPABILITY", "run the example of a capability: use it once, for something small")
    case .help: ("[WORD]", "the words, or one of them")
    case .quit: ("", "leave; what waits goes on waiting")
    }
  }

  /// The words that a person can type while an alert waits for an answer, with their explanations.
  static let answers: [(typed: String, help: String)] = [
    ("allow", "allow it, this request only"),
    ("deny", "deny it, this request only"),
    ("allow 4", "allow it, and keep the answer as in line 4 under \"Keep for\"; deny takes a number too"),
    ("allow NAME", "what does great harm takes the capability's name behind allow; the alert says so"),
    ("only 2", "choose less than was asked for: line 2 under \"Only\""),
    (
      "wider, back",
      "let the answer cover more than what is asked, or less again; the line \"Covers\" says what"
    ),
    ("note TEXT", "write a note beside the answer"),
    ("mute", "deny, and deny this program's further requests for an hour"),
    ("later", "set it aside: the program goes on waiting"),
    ("confirm, cancel", "answer a question; where it asks for another word, only that confirms"),
    ("ok", "close a notice"),
    ("waiting, help, quit", "as always; none of them answers"),
  ]
}

/// A resolver of the names that a person types for programs and capabilities.
struct PlainNames {
  /// Returns the capabilities that count now.
  let capabilities: () -> CapabilityCatalogue
  /// A closure that returns the program with a name, for a decision with a verdict. Unless exactly one program matches,
  /// it throws the message to show.
  let program: (ProgramName, Verdict) throws -> Subject
}

extension PlainNames {
  /// Creates a resolver that finds programs in a store.
  init(_ capabilities: @escaping () -> CapabilityCatalogue, _ store: any PermissionStore) {
    self.init(capabilities: capabilities) { try $0.decidable($1, in: store) }
  }

  var catalogue: CapabilityCatalogue { capabilities() }
}
