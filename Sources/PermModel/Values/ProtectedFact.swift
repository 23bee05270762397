/// The protected names that were found directly in a folder. They only make an alert clearer: no wider scope covers any
/// protected name, wherever it is and whenever it was made.
package struct ProtectedFact: Hashable, Sendable, Codable {
  package var folder: Scope
  /// The name that an alert shows, relative to the folder.
  package var first: String
  package var count: Int

  package init(folder: Scope, first: String, count: Int) {
    self.folder = folder
    self.first = first
    self.count = count
  }
}
