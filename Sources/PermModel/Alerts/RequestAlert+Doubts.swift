extension RequestAlert {
  /// What is doubtful about the program's name or about which program asks, in words.
  package var doubts: [String] {
    let mixes = MixedAlphabets.are(in: request.subject.label)
    return (mixes ? ["its name mixes letters of two alphabets that look alike"] : [])
      + [request.evidence?.doubt].compactMap { $0 }
  }
}
