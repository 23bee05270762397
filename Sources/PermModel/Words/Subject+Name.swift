extension Subject {
  /// The program's name as a person writes it: the label, and for an agent also its folder, for example
  /// `claude in ~/src/app`. It contains untrusted text that is not escaped.
  package var name: String { named(label) }

  /// The name for use within a sentence or a list. See ``VisibleText/framed(_:)``.
  package var framedName: String { named(VisibleText.framed(label)) }

  private func named(_ label: String) -> String { folder.map { "\(label) in \($0.name)" } ?? label }
}

extension ProgramFolder {
  /// The path with `~` in place of the home folder, in quotation marks if it could be mistaken for other words.
  package var name: String {
    let short = HomeFolder.shortened(path)
    let isWord = VisibleText.framed(path) == path
    return isWord ? short : "\"\(short)\""
  }
}
