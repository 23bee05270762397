import PermModel

// The code of the overview of PermModel, word for word.

private struct ImportPictures: Operation {
  func execute(_ context: OperationContext) async throws {}
}

func askLikeTheOverview(_ queue: OperationQueue) async throws {
  // begin example
  let pictures = queue.add(
    ImportPictures(), conditions: [AuthorizedFor(Capability.Photos(.addOnly), reason: "bring them home")])
  let shared = queue.add(
    "read", conditions: [AuthorizedFor(try Capability.Files(.read, "/usr/share/"))]
  ) { _ in "reading" }
  // end example
  try await pictures.value
  _ = try await shared.value
}
