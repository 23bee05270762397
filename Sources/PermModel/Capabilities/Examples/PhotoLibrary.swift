/// The pictures in a folder, built only for a program that is allowed to see them.
package final class PhotoLibrary: AuthorizedService {
  package static let capability = Capability.Photos(.read)

  package let folder: String
  /// Whether only pictures of the last thirty days are shown.
  package let isLimited: Bool
  private let now: @Sendable () -> Timestamp

  init(_ folder: String, isLimited: Bool, now: @escaping @Sendable () -> Timestamp = { .now }) {
    self.folder = folder
    self.isLimited = isLimited
    self.now = now
  }

  package convenience init(_ token: AuthorizationToken<PhotoLibrary>) {
    self.init(token.environment.pictures, isLimited: false)
  }

  /// Returns the pictures' paths. Takes time proportional to the number of files below the folder.
  ///
  /// - Throws: `CancellationError` if the task is cancelled meanwhile.
  package func pictures() throws -> [String] {
    let oldest = now() + .seconds(-30 * 86_400)
    var found: [String] = []
    let fileSystem = FileSystem()
    PictureFolder(folder).visit { path in
      if !isLimited || fileSystem.entry(at: path).map({ $0.modified >= oldest }) ?? false {
        found.append(path)
      }
      return true
    }
    try Task.checkCancellation()
    return found.sorted()
  }

  /// Returns the number of pictures.
  package func count() throws -> Int { try pictures().count }
}
