extension RequestAlert {
  /// What is doubtful about the program's name or about which program asks, in words.
  package var doubts: [String] { request.doubts(identity) }
}

extension Request {
  /// One line that names it in a list, for example `photos for thumbs`. Foreign text.
  package var summary: String { "\(capability) for \(VisibleText.framed(subject.label))" }

  /// What is doubtful about the program's name or about which program asks, in words.
  package func doubts(_ identity: IdentityCheck) -> [String] {
    var doubts = [LookAlikes.doubt(about: subject.label), evidence?.doubt].compactMap { $0 }
    if case .lookAlike(let known) = identity {
      doubts.insert("its name looks like \(known), which you know", at: 0)
    }
    return doubts
  }
}
