import CFuse
import CWalls
import Machine
import PermBroker
import PermModel

/// The subject of a run, and the sources of its rulings and answers.
struct RunPreparation: Sendable {
  /// The program as it was named, and its arguments.
  var program: [String]
  var label: String?
  var store: String
  var folder: String
  /// The environment of the warden.
  var variables: [String: String]
  /// Whether the program may write below the working folder.
  var isHere = false
  /// The folders that the program uses as they are outside.
  var native: [NativeFolder] = []
  /// Whether what is not allowed before the start is denied.
  var isFixed = false
  /// Whether no broker is told of the run.
  var isAlone = false
  /// Whether nothing is decided either.
  var isTrial = false
  var notes: Notes
  var mostNodes: Int

  /// Returns the settings for the run with this first process. If a broker runs, or can be started, it is asked.
  func settings(_ first: pid_t) throws(WallsFailure) -> ShadowSettings {
    let (subject, answerer) = try asking(first)
    let hidden = HiddenNames.current(variables, home: Users.homeFolder, user: Users.current, store: store)
    let rulings = try rulings(about: subject)
    let copies = isTrial ? nil : copies(rulings, hidden)
    try NativeGuard(folders: native, rulings: rulings, notes: notes, end: { kill(first, SIGKILL) }).begin()
    return ShadowSettings(
      rulings: rulings, answerer: answerer, hidden: hidden, native: native.map(\.path), notes: notes,
      user: Users.current,
      group: getegid(), mostNodes: mostNodes,
      startSet: isAlone || isFixed ? [] : startSet, copies: copies,
      first: first)
  }

  private var startSet: [FileUse] { StartSet.uses(of: program[0], at: path, home: home) }

  private var home: String? { variables["HOME"] ?? Users.homeFolder }

  /// Returns the private copies of the names to which the program writes whenever it runs. What it may change is used itself.
  private func copies(_ rulings: StoreRulings, _ hidden: HiddenNames) -> RunCopies? {
    let working = try? AbsolutePath(folder)
    let covers = OwnNames.covers(of: program[0], home: home) { path, isFolder in
      rulings.ruling(on: .write(path, isWhole: isFolder)) == .allowed
    }.filter { cover in
      let isNative = native.contains {
        $0.path == cover.path || $0.path.isAbove(cover.path) || cover.path.isAbove($0.path)
      }
      let isWorkedIn = working.map { $0 == cover.path || cover.path.isAbove($0) } ?? true
      return !isNative && !isWorkedIn && !hidden.contain(cover.path)
        && !hidden.areBelow(cover.path)
    }
    guard !covers.isEmpty else { return nil }
    let settings = OwnNames.settings(of: program[0], home: home)
    do throws(Failure) { return try RunCopies(besideStore: store, covers, settings: settings) } catch {
      notes.note(
        "cannot make a private copy of what the program writes for itself, so that is asked about: "
          + SystemError.reason(error.code))
      return nil
    }
  }

  /// The path of the program's file; `nil` if there is none.
  private var path: String? {
    RunSubject.path(of: program[0], searching: variables["PATH"] ?? "/usr/bin:/bin")
  }

  private func rulings(about subject: Subject) throws(WallsFailure) -> StoreRulings {
    let world = StoreEnvironment.linux(sessionFolder: variables["XDG_RUNTIME_DIR"].map { $0 + "/permtui" })
    let policy = MachinePolicy.read(UserConfiguration.read(.current).environment).policy
    do {
      let decisions: any PermissionStore =
        isTrial ? MemoryStore(environment: world) : try SQLiteStore(path: store, environment: world)
      return try StoreRulings(
        decisions, subject, policy, here: isHere ? AbsolutePath(folder) : nil, isFixed: isFixed)
    } catch {
      throw WallsFailure("\(error)")
    }
  }

  /// Returns the program in whose name everything is asked, and the answerer at which it is.
  private func asking(_ first: pid_t) throws(WallsFailure) -> (Subject, any QuestionAnswerer) {
    // If there is no such program, its start fails, and nobody has to be asked.
    guard !isAlone, let path, let started = ProcessStat(of: first)?.startTime else {
      let answerer: any QuestionAnswerer = isFixed ? FixedAnswerer(notes: notes) : NobodyAsked(notes: notes)
      return (RunSubject.of(program[0], at: path, label: label), answerer)
    }
    let claim = RunClaim(
      first: ProcessIdentity(pid: first, startTime: started), program: path, arguments: program,
      folder: folder, terminal: ProcessStat(of: getpid())?.terminal, hasNativeFolder: !native.isEmpty)
    let starter = BrokerStarter(
      place: BrokerLocation(store: store, environment: variables), store: store, variables: variables)
    let id = RandomID.make()
    let run = try starter.supervise(claim, id: id, label: label)
    // With its first process, all others of the run end, too.
    let addresses = starter.place.addresses
    let answerer = BrokerQuestions(run, at: addresses, notes: notes, end: { kill(first, SIGKILL) }) {
      [label] in
      // The next broker, too, looks at the program that calls it.
      walls_open_to_others()
      defer { walls_close_to_others() }
      return try SupervisedRun(claim, id: id, label: label, at: addresses)
    }
    return (run.subject, isFixed ? FixedAnswerer(answerer, notes: notes) : answerer)
  }
}
