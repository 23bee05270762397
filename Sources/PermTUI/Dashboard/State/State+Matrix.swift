import PermModel

extension State {
  /// The columns of the matrix: the capabilities that are waited for or decided now, then those that once were, and then
  /// those that could be, each by name. Unused capabilities that this machine does not have are left out.
  var matrixCapabilities: [CapabilityRow] {
    let data = desk.data
    let named = data.capabilities.map { ($0, $0.title.lowercased()) }.sorted { $0.1 < $1.1 }.map(\.0)
    let ranks = named.map { data.isOpen($0) ? 0 : data.isUsed($0) ? 1 : $0.unavailability == nil ? 2 : 3 }
    return (0...2).flatMap { rank in named.indices.filter { ranks[$0] == rank }.map { named[$0] } }
  }

  /// The index of the selected column.
  var matrixColumn: Int {
    matrixCapabilities.firstIndex { $0.id == matrixSelection } ?? 0
  }

  var matrixCapability: CapabilityRow? {
    let capabilities = matrixCapabilities
    return capabilities.first { $0.id == matrixSelection } ?? capabilities.first
  }

  mutating func moveColumn(by distance: Int) {
    let capabilities = matrixCapabilities
    guard !capabilities.isEmpty else { return }
    matrixSelection = capabilities[min(max(0, matrixColumn + distance), capabilities.count - 1)].id
  }
}
