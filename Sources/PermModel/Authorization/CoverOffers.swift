/// The scopes that the answer to a request can cover, the narrowest first.
struct CoverOffers {
  let request: Request
  /// The atoms that are still undecided.
  let open: Set<Atom>
  let decided: DecidedAtoms
  /// The lines for which the program asked before, the latest first.
  var earlier: [String] = []
  private var protected: ProtectedNames { decided.protected }

  /// The offers. The first one is exactly what was asked for.
  var all: [CoverOffer] {
    let exact = exact
    // If the answer holds for this request or this process only, a wider scope would be of no use.
    guard limits.allSatisfy({ $0.longest == .session || $0.isForExactLines }) else { return [exact] }
    return [exact] + wider.filter(hasEffect)
  }

  /// The values that are asked for, in order.
  private var values: [Scope] {
    Set(open.map(\.scope)).subtracting([.any]).sorted { $0.key.lexicographicallyPrecedes($1.key) }
  }

  /// Whether an allow with this scope would allow everything that is asked for. Protected names and denials can be in
  /// the way.
  private func hasEffect(_ offer: CoverOffer) -> Bool {
    let atoms = offer.widening(open)
    guard atoms != open else { return false }
    return decided.answering(.allow, atoms, at: Timestamp(microseconds: .max), isKept: true).allows(open)
  }
}

// MARK: - Exactly what is asked

extension CoverOffers {
  private var exact: CoverOffer {
    let limit = limits.min { $0.longest.rank < $1.longest.rank }
    return CoverOffer(nil, words: exactWords, longest: limit?.longest, limitReason: limit?.reason)
  }

  /// The reasons that limit how long even an exact allow can be kept.
  private var limits: [AllowLimit] {
    var limits = open.compactMap { AllowLimit(on: $0, request.facts) }
    if request.subject.folder == nil, open.contains(where: \.runsFolder) {
      limits.append(
        AllowLimit(
          longest: .once, reason: "it runs what the files in a folder say, and this program has none"))
    }
    if let doubt = request.facts.doubts.first { limits.append(AllowLimit(longest: .process, reason: doubt)) }
    if let details = request.details, details.linesLeftOut > 0 {
      limits.append(AllowLimit(longest: .once, reason: "not all of the details are shown"))
    }
    return limits
  }

  private var exactWords: String {
    let values = values
    guard let value = values.first else {
      return request.atomsTakeValues(decided.definition) ? "everything" : "exactly this"
    }
    if case .folder = value, values.count == 1, writesFiles, !protected.contain(value) {
      return "this folder and everything below it but \(protectedWords(in: value))"
    }
    guard values.count > 1 else {
      let words = programWords(value) ?? folderWords(value) ?? value.exactWords
      return decided.deniedPerhaps(in: open).map {
        "\(words); it may contain what is denied: \($0.commandWords)"
      } ?? words
    }
    return
      "exactly these \(values.count) \(Set(values.map(\.pluralWords)).count == 1 ? value.pluralWords : "values")"
  }

  /// Returns the words for a folder that is asked for as a single entry; `nil` for any other value.
  private func folderWords(_ value: Scope) -> String? {
    request.facts.namedFolders?.contains(value) == true ? "this folder, but not what is in it" : nil
  }

  /// Returns the words for a program about whose arguments nothing is known; `nil` for any other value.
  private func programWords(_ value: Scope) -> String? {
    guard request.facts.dialect == .deno, value.kind == .command else { return nil }
    return request.facts.leavesProgramOpen(value)
      ? "any program called \(VisibleText.brief(value.text)), with any arguments"
      : "this program, with any arguments"
  }
}

extension Request {
  fileprivate func atomsTakeValues(_ definition: CapabilityDefinition) -> Bool {
    atoms.contains { definition.part(of: $0)?.values != nil }
  }
}

extension Scope {
  fileprivate var exactWords: String {
    switch self {
    case .any: "everything"
    case .path: "this file"
    case .folder: "this folder and everything below it"
    case .host(_, .some): "this host and port"
    case .host(_, nil): "every port of this host"
    case .domain: "every host below this name"
    case .command(let line): line.contains("\n") ? "exactly these lines" : "exactly this line"
    case .form: "every line of this form"
    case .start: "every command that begins so"
    case .lines: "every line like this one"
    case .name: "this name"
    case .names: "every name that begins so"
    }
  }

  fileprivate var pluralWords: String {
    switch self {
    case .path: "files"
    case .folder: "folders"
    case .host, .domain: "hosts"
    case .command, .form, .lines, .start: "lines"
    case .name, .names: "names"
    case .any: "values"
    }
  }
}

// MARK: - Wider scopes

extension CoverOffers {
  private var wider: [CoverOffer] {
    switch values.first?.kind {
    case .path: folders.map { CoverOffer(.folder($0), words: words(of: $0)) }
    case .host: hosts
    case .command: lines + forms
    case .name, nil: []
    }
  }

  /// The folders on offer, except those that are asked for.
  private var folders: [AbsolutePath] {
    protected.foldersOnOffer(for: request.facts.withAllBelow(values), project: request.facts.project)
      .filter { !values.contains(.folder($0)) }
  }

  private var writesFiles: Bool { open.contains(where: \.writesFiles) }

  private func words(of folder: AbsolutePath) -> String {
    let text = "all of \(protected.shortened(Scope.folder(folder).text))"
    return writesFiles ? "\(text) but \(protectedWords(in: .folder(folder)))" : text
  }

  /// Returns words for the protected names in a folder. Only those directly in it are counted: others can be at any depth.
  private func protectedWords(in folder: Scope) -> String {
    guard let found = request.facts.protected?.first(where: { $0.folder == folder }) else {
      return "the protected names in it"
    }
    let others = found.count > 1 ? ", \(found.count - 1) more" : ""
    return "\(found.first)\(others) and protected names deeper in it"
  }

  private var hosts: [CoverOffer] {
    guard case .host(let host, _)? = values.first else { return [] }
    let every = Scope.host(host)
    guard values.allSatisfy({ every.covers($0) }), !values.contains(every) else { return [] }
    return [CoverOffer(every, words: "every port of \(host.name)")]
  }

  /// The line with the word that differed from the last times as a hole.
  private var lines: [CoverOffer] {
    guard case .command(let line)? = values.first, values.count == 1, request.subject.folder != nil,
      let files = request.facts.words?.files,
      let found = earlier.lazy.compactMap({ HoledLine(covering: line, $0, files: files) }).first
    else { return [] }
    let limit = AllowLimit(on: Atom("commands", "run", .lines(found)), request.facts)
    return [
      CoverOffer(
        .lines(found), words: "every line like \(found.text)", longest: limit?.longest,
        limitReason: limit?.reason)
    ]
  }

  /// The command form, if all lines belong to the same one and its conditions hold here.
  private var forms: [CoverOffer] {
    guard case .command(let line)? = values.first, let kind = CommandForm(of: line)?.name,
      let name = request.facts.forms.first(where: { CommandForm.kind(of: $0) == kind }),
      let form = CommandForm(named: name), values.allSatisfy({ Scope.form(name).covers($0) })
    else { return [] }
    let limit = AllowLimit(on: Atom("commands", "run", .form(form.name)), request.facts)
    guard form.runsFolder else {
      return [
        CoverOffer(
          .form(form.name),
          words: form.address.map { "every \"\(kind)\" to \($0)" }
            ?? "every \"\(form.name)\" with known options",
          longest: limit?.longest, limitReason: limit?.reason)
      ]
    }
    guard request.subject.folder != nil else { return [] }
    return [
      CoverOffer(
        .form(form.name), words: "every \"\(form.name)\", which runs what the files in this folder say",
        longest: limit?.longest, limitReason: limit?.reason)
    ]
  }
}
