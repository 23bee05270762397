/// The protected names that were found directly in a folder. They only make an alert more telling: no wider scope covers
/// any protected name, wherever it is and whenever it was made.
package struct ProtectedFact: Hashable, Sendable, Codable {
  package var folder: Scope
  /// The most telling of the names, relative to the folder.
  package var first: String
  package var count: Int

  package init(folder: Scope, first: String, count: Int) {
    self.folder = folder
    self.first = first
    self.count = count
  }
}
