import Machine

/// The facts about a request, in words. They are in the order in which every user interface shows them.
///
/// Each caller lays out the facts itself, and supplies functions that format times and untrusted text.
package struct RequestFacts {
  /// The amount of attention that a fact needs.
  package enum Role: Sendable {
    case normal, muted, good, attention, bad
  }

  /// The kind of a fact's text, which a screen can show in its own way.
  package enum Look: Sendable {
    case words
    /// A value that is asked for.
    case value
    /// A line of a change to a file.
    case added, removed
    /// A line that names the part of a change that follows it.
    case title
    /// The machine on which the program asks.
    case machine
  }

  /// The machine on which a program asks, for a person who answers for several.
  package struct Place: Hashable, Sendable {
    /// The person's name for the machine; `nil` for the one at which the person is.
    package var name: String?
    /// The machine in words, for example `web1 · prod`.
    package var words: String

    package init(name: String?, words: String) { (self.name, self.words) = (name, words) }
  }

  package struct Fact {
    /// The fact's heading; empty if the fact continues the previous one.
    package var heading: String
    package var text: String
    package var role = Role.normal
    /// The number of this line, if the fact is one line of a text with several lines.
    package var place: (number: Int, count: Int)?
    /// A few words that rate the fact. With the role `normal`, they only mark the end of a text.
    package var note: (words: String, role: Role)?
    /// The next wider scope that can be chosen instead of the one that the fact names.
    package var wider: String?
    /// The lifetime, in words, for which the alert suggests to keep an allow.
    package var keeps: String?
    package var look = Look.words
    /// The words in the text that delete, send or escalate something, or lead out of the project.
    package var dangers: [String] = []

    /// The fact as one line of text.
    package var line: String {
      let number = place.map { $0.count > 1 ? " \($0.number)" : "" } ?? ""
      let name = heading.isEmpty ? "" : "\(heading)\(number): "
      let note = note.flatMap { $0.role == .normal ? nil : ", \($0.words)" } ?? ""
      return name + text + note + (wider.map { "; wider: \($0)" } ?? "")
    }
  }

  let alert: RequestAlert
  let choice: Int
  let cover: Int
  let visible: (String) -> String
  let quoted: (String) -> String
  private let lifetime: LifetimeChoice?
  private let moment: ((Timestamp) -> String)?
  private let exact: ((Timestamp) -> String)?
  private let run: RunKnowledge?
  private let place: Place?

  /// - Parameters:
  ///   - choice: The index of the chosen requirement.
  ///   - cover: The index of the chosen scope.
  ///   - lifetime: The chosen lifetime; `nil` if it is chosen only with the answer.
  ///   - visible: Escapes untrusted text from other programs.
  ///   - quoted: Escapes untrusted text, and puts it in quotation marks.
  ///   - moment: Formats times; if it is `nil`, times are left out.
  ///   - exact: Formats the request's own times to the second; if it is `nil`, these times are left out.
  ///   - place: The machine on which the program asks; `nil` if the person answers for one machine only.
  ///   - run: What else is known about the run behind walls that asks; `nil` if it is left out.
  package init(
    _ alert: RequestAlert, choice: Int, cover: Int = 0, lifetime: LifetimeChoice? = nil,
    visible: @escaping (String) -> String, quoted: @escaping (String) -> String,
    moment: ((Timestamp) -> String)?, exact: ((Timestamp) -> String)?, place: Place? = nil,
    run: RunKnowledge? = nil
  ) {
    self.alert = alert
    self.choice = choice
    self.cover = cover
    self.lifetime = lifetime
    self.visible = visible
    self.quoted = quoted
    self.moment = moment
    self.exact = exact
    self.run = run
    self.place = place
  }

  var request: Request { alert.request }

  /// Escapes a path, and puts `~` in place of the home folder.
  func visiblePath(_ path: String) -> String { visible(HomeFolder.shortened(path)) }

  /// The sentence that describes the request, in two parts, for example `backup` and ` asks to read your photos`.
  package var sentence: (who: String, asks: String) {
    let machine = place?.name.map { " on \(visible($0))" } ?? ""
    return (visible(request.subject.framedName) + machine, " asks to \(visible(alert.action))")
  }

  /// The warning that another program is using a name that the person knows; `nil` if there is no need to warn. The
  /// warning is shown before all facts.
  package var warning: String? {
    guard case .mismatch = alert.identity else { return nil }
    return "It is another program, not the one that you know by this name."
  }

  package var all: [Fact] { all(isFolded: false) }

  /// The facts that are part of the request itself, without those about earlier answers.
  package var ofRequest: [Fact] {
    what + values + [reason] + seen
      + [fact("Started", started), fact("Suggests", suggestion)].compactMap(\.self)
  }

  /// - Parameter isFolded: Whether one line tells which program asks, if there is nothing to say against it.
  package func all(isFolded: Bool) -> [Fact] {
    let program = isFolded ? folded.map { [$0] } : nil
    return on + what + values + [reason]
      + (program ?? name + seen + [fact("Started", started)].compactMap(\.self))
      + [
        fact("Run", isFolded ? nil : ofRun, runRole), fact("Asked", company, .attention),
        fact("Suggests", suggestion), fact("Before", before),
        fact("Kept", alert.restingAllow.map(visible)), today, fact("Others", others, .attention),
        fact("Times", exact.map(request.times)),
        fact("Careful", care, .attention), fact("Tip", rules, .muted),
      ].compactMap(\.self)
  }

  private var on: [Fact] {
    place.map { [Fact(heading: "On", text: visible($0.words), look: .machine)] } ?? []
  }

  /// The other names of the asked paths, without the doubts about them. Every user interface in which a request can be
  /// answered shows these facts.
  package var otherNames: [Fact] {
    asked.flatMap { facts(about: $0, withDoubt: false) }
  }

  /// The facts that a list of requests shows about each of them: other names of the asked paths, and the answers that are
  /// possible.
  package var offered: [Fact] {
    var covers =
      asked.contains { $0.scope != .any } ? fact("Covers", alert.covers.first.map { visible($0.words) }) : nil
    let wider = alert.covers.dropFirst().map { visible($0.words) }
    covers?.wider = wider.isEmpty ? nil : wider.joined(separator: ", ")
    let lifetimes = alert.lifetimes(cover: cover).map { offer in
      words(of: offer.choice) + (offer.limit.map { " (\(visible($0)))" } ?? "")
    }
    return otherNames + [covers, fact("Keep for", lifetimes.joined(separator: ", "))].compactMap(\.self)
  }

  func fact(_ heading: String, _ text: String?, _ role: Role = .normal) -> Fact? {
    text.map { Fact(heading: heading, text: $0, role: role) }
  }

  private var what: [Fact] {
    let less = "You allow only: \(visible(alert.choices[0].title))."
    guard asked.contains(where: { $0.scope == .any }) || asked.isEmpty else {
      return choice > 0 ? [Fact(heading: "What", text: less, role: .attention)] : []
    }
    let title = visible(alert.title)
    let chosen = alert.choices.indices.contains(choice) ? alert.choices[choice].title : alert.title
    let what = chosen == alert.title ? title : "\(title): \(visible(chosen))"
    // The explanation describes everything that was asked for, so it is left out if the person allows less.
    guard choice > 0 else { return [Fact(heading: "What", text: "\(what). \(visible(alert.explanation))")] }
    return [Fact(heading: "What", text: "\(what)."), Fact(heading: "", text: less, role: .attention)]
  }

  private var reason: Fact {
    guard let reason = request.reason, !reason.isEmpty else {
      return Fact(heading: "Reason", text: "none given", role: .muted)
    }
    return Fact(heading: "Reason", text: quoted(reason))
  }

  private var suggestion: String? {
    switch request.suggestedLifetime {
    case nil: nil
    case let lifetime?: "keeping the answer \(lifetime.isSpan ? "for " : "")\(words(of: lifetime))"
    }
  }

  private func words(of lifetime: LifetimeChoice) -> String {
    lifetime.words(of: request.evidence, moment)
  }

  /// The number of earlier answers; `nil` if the program asks for the first time, which its name says.
  private var before: String? {
    let history = alert.history
    // The answers of another machine are its own claim.
    let says = place?.name.map { "\(visible($0)) says: " } ?? ""
    guard history.allowed + history.denied > 0 else {
      return alert.identity == .firstTime ? nil : says + "never answered"
    }
    let last = history.last.flatMap { last in moment.map { "; last \($0(last))" } } ?? ""
    return says + "\(times(.allow, history.allowed)), \(times(.deny, history.denied))\(last)"
  }

  /// The fact that exactly this was allowed several times today; `nil` if the alert does not suggest to keep it.
  private var today: Fact? {
    guard choice == 0, cover == 0, let place = alert.suggestedKeep else { return nil }
    var fact = Fact(heading: "Today", text: "you allowed exactly this \(alert.history.today) times")
    let lifetime = alert.lifetimes[place].choice
    fact.keeps = (lifetime.isSpan ? "for " : "") + words(of: lifetime)
    return fact
  }

  private func times(_ verdict: Verdict, _ count: Int) -> String {
    switch count {
    case 0: "never \(verdict.past)"
    case 1: "\(verdict.past) once"
    default: "\(verdict.past) \(count) times"
    }
  }

  private var care: String? {
    let atoms = alert.atoms(choice: choice, cover: cover)
    if let word = alert.word(for: atoms, lifetime: lifetime ?? .once) {
      return "\(sentence(word.consequence)) \(tooLong ?? "Type \(visible(word.text)) to allow it.")"
    }
    guard lifetime == nil else { return nil }
    if let word = alert.word(for: atoms, lifetime: .session) {
      return "\(sentence(word.consequence)) To keep an allow, type \(visible(word.text))."
    }
    return alert.word(for: atoms, lifetime: .forever).map {
      "An allow that is kept for longer than eight hours, or beyond log-out, takes the word \(visible($0.text))."
    }
  }

  /// The sentence that nothing can be allowed for as long as was chosen; `nil` if it can.
  private var tooLong: String? {
    let offers = alert.lifetimes(cover: cover)
    let longest = offers.filter { $0.reason(against: .allow) == nil }.max { $0.choice.rank < $1.choice.rank }
    guard let longest, offers.contains(where: { $0.choice == lifetime && $0.reason(against: .allow) != nil })
    else { return nil }
    if longest.choice == .once { return "It can be allowed for this request only." }
    return
      "It can be allowed \(longest.choice.isSpan ? "for " : "")\(visible(words(of: longest.choice))) at most."
  }

  private func sentence(_ text: String) -> String {
    "\(text.prefix(1).uppercased())\(visible(String(text.dropFirst())))."
  }

  /// The agents for which `permtui connect --here` has the usual rules of a project.
  private static let agents: Set<String> = ["claude", "codex"]

  /// The hint about the usual rules of a folder. Only the first alert of an agent in a folder has it.
  private var rules: String? {
    let subject = request.subject
    guard let folder = subject.folder, folder != .unknown, alert.identity == .firstTime,
      Self.agents.contains(subject.label)
    else { return nil }
    return "permtui connect \(subject.label) --here sets up this folder"
  }
}

// MARK: - Which program

extension RequestFacts {
  private var name: [Fact] {
    let place = request.subject.folder.map { " in \(visiblePath($0.path))" } ?? ""
    var name = Fact(heading: "Name", text: quoted(request.subject.label) + place)
    name.note = identity
    switch alert.identity {
    case .mismatch(let path):
      let known = "Under this name you knew another program: \(visiblePath(path))"
      return [name, Fact(heading: "", text: known, role: .bad)]
    case .replaced: return [name, Fact(heading: "", text: replacement, role: .attention)]
    default: return [name]
    }
  }

  /// Whether one line is enough to tell which program asks: it is the one that was seen before, and there is no doubt about
  /// it.
  package var isFoldable: Bool {
    guard let evidence = request.evidence, alert.identity == .asSeen, alert.doubts.isEmpty else {
      return false
    }
    return !evidence.isSandboxed && !evidence.isUnreadable && evidence.walled == nil
      && evidence.doubt == nil && !request.subject.isVouched
  }

  /// The line that tells which program asks; `nil` if one line is not enough.
  private var folded: Fact? {
    guard isFoldable, let evidence = request.evidence, var fact = name.first else { return nil }
    let terminal = evidence.terminal.map { ", on \(visible($0))" } ?? ""
    fact.text += ", pid \(evidence.process.pid)\(terminal)"
    return fact
  }

  private var identity: (words: String, role: Role) {
    switch alert.identity {
    case .inProcess: ("in this process", .muted)
    case .asSeen: ("as seen", .good)
    case .firstTime: ("first time", .muted)
    case .onlyDenied: ("only denied so far", .muted)
    case .replaced: ("replaced", .attention)
    case .mismatch: ("another program", .bad)
    case .lookAlike: ("not the name you know", .bad)
    case .fileless, .unknown: ("unknown", .bad)
    }
  }

  /// The text that reports that the program's file has been replaced since an earlier answer.
  private var replacement: String {
    if let folder = request.subject.folder {
      return "Its file, or the folder \(visible(folder.name)), was replaced: an update, or somebody else. "
        + "Your answer replaces the old one."
    }
    let birth = request.subject.file?.birth ?? 0
    let when = moment.map { " \($0(Timestamp(microseconds: birth / 1000)))" } ?? ""
    return "This file was replaced\(birth > 0 ? when : ""): an editor, an update, or somebody else. "
      + "Your answer replaces the old one."
  }

  private var seen: [Fact] {
    let doubts = alert.doubts.map { Fact(heading: "Doubt", text: visible($0), role: .bad) }
    guard let evidence = request.evidence else { return doubts }
    let interpreter = evidence.interpreter.map { ", run by \(visible($0))" } ?? ""
    let place = evidence.isSandboxed ? ", in a sandbox" : evidence.walled == nil ? "" : ", behind walls"
    let seen = "\(visiblePath(evidence.program))\(interpreter), pid \(evidence.process.pid)\(place)"
    return voucher + [Fact(heading: "Seen", text: seen)] + waiting + doubts
  }

  /// The process behind walls that waits for the answer.
  private var waiting: [Fact] {
    guard let walled = request.evidence?.walled else { return [] }
    let isStart = request.atoms.count > 1
    let text =
      isStart
      ? "it reads these when it starts, and stands still at the first of them until you answer"
      : "this thread of \(visible(walled.name)), pid \(walled.process.pid), stands still until you answer"
    return [Fact(heading: "Waits", text: text)]
  }

  /// The run behind walls that asks: its first process, its age, its folder, and what is kept until it ends.
  private var ofRun: String? {
    guard let run, let evidence = request.evidence, let walled = evidence.walled else { return nil }
    let parts = [
      "pid \(evidence.process.pid)", run.since.flatMap { since in moment.map { "since \($0(since))" } },
      evidence.workingDirectory.map { "in \(visiblePath($0))" },
    ]
    let kept = run.kept.map { "; \($0.words) until it ends" } ?? ""
    return parts.compactMap(\.self).joined(separator: ", ") + kept + walled.ways.map { "; \($0)" }.joined()
  }

  private var runRole: Role { request.evidence?.walled?.ways.isEmpty == false ? .attention : .normal }

  /// The program that vouches for the one that asks, if any.
  private var voucher: [Fact] {
    guard request.subject.isVouched, let evidence = request.evidence else { return [] }
    let text = "\(visible(evidence.program.lastPathPart)) says: \(visible(request.subject.vouchedName))"
    return [Fact(heading: "Vouched", text: text, role: .attention)]
  }

  private var started: String? {
    guard let evidence = request.evidence else { return nil }
    let chain = evidence.chain.map(visible).joined(separator: " > ")
    let parts = [
      chain.isEmpty ? nil : chain, evidence.terminal.map { "on \(visible($0))" },
      evidence.workingDirectory.map { "in \(visiblePath($0))" },
    ].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

extension WalledProcess {
  /// The ways in which its run can do things that nobody is asked about, in words.
  fileprivate var ways: [String] {
    [
      hasLeft ? "it has reached a socket of this machine, so it can do things outside of its walls" : nil,
      hasNativeFolder ? "it uses a folder as it is outside, and is not asked about there" : nil,
    ].compactMap(\.self)
  }
}

// MARK: - Other requests

extension RequestFacts {
  /// The text that tells how often and by which processes the request was made; `nil` if it was made only once.
  private var company: String? {
    guard !alert.joined.isEmpty else { return nil }
    let processes = ([request.evidence?.process] + alert.joined.map(\.process)).compactMap(\.self)
    let pids = processes.map { String($0.pid) }.reduce(into: [String]()) { pids, pid in
      if !pids.contains(pid) { pids.append(pid) }
    }
    let by = pids.isEmpty ? "" : ", by pid\(pids.count == 1 ? "" : "s") \(pids.joinedInWords())"
    return "\(alert.joined.count + 1) times\(by); the answer is for all of them"
  }

  /// The text that says how many other requests a kept answer would also settle; `nil` if there are none.
  private var others: String? {
    guard let reach = alert.reach(cover: cover) else {
      // A broker of an earlier version counts only for exactly what is asked.
      return "if it is kept, your answer answers all others that wait and that it covers"
    }
    if reach == AnswerReach() { return nil }
    if reach.allow == reach.deny { return "if it is kept, your answer answers \(others(reach.allow))" }
    return "if it is kept, a yes answers \(others(reach.allow)), a no \(others(reach.deny))"
  }

  private func others(_ count: Int) -> String {
    switch count {
    case 0: "none"
    case 1: "1 other that waits"
    default: "\(count) others that wait"
    }
  }
}

// MARK: - In few words

extension Request {
  /// One line that names the request in a list, for example `photos for thumbs`. It contains untrusted text
  /// that is not escaped.
  package var summary: String { "\(capability) for \(subject.framedName)" }

  /// Returns the words that tell when the request was made and when the program stops waiting, for example
  /// `asked 14:03:05, gives up 14:05:05`.
  package func times(_ moment: (Timestamp) -> String) -> String {
    "asked \(moment(askedAt))" + (givesUpAt.map { ", gives up \(moment($0))" } ?? "")
  }

  /// Returns the doubts about the program's name or identity, in words.
  package func doubts(_ identity: IdentityCheck) -> [String] {
    var doubts = [LookAlikes.doubt(about: subject.label), evidence?.doubt].compactMap { $0 }
    if case .lookAlike(let known) = identity {
      doubts.insert("its name looks like \(known), which you know", at: 0)
    }
    return doubts
  }

  /// Returns the reasons to suspect the program that asks, each in a few words; empty if there are none.
  ///
  /// - Parameter shown: Returns a path as it is shown.
  package func warnings(
    _ identity: IdentityCheck, path shown: (String) -> String = { HomeFolder.shortened($0) }
  ) -> [String] {
    let others = (evidence?.isSandboxed == true ? ["in a sandbox"] : []) + doubts(identity) + facts.doubts
    switch identity {
    case .mismatch(let path): return ["NOT \(shown(path)), which you know by this name"] + others
    case .replaced:
      return [subject.folder == nil ? "its file was replaced" : "its file or folder was replaced"] + others
    default: return others
    }
  }
}
