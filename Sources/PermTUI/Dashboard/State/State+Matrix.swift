import PermModel

extension State {
  /// The columns of the matrix: the capabilities that were asked for or decided, and then those that could be, each by
  /// name. Unused capabilities that this machine does not have are left out.
  var matrixCapabilities: [CapabilityRow] {
    let named = desk.data.capabilities.map { ($0, $0.title.lowercased()) }.sorted { $0.1 < $1.1 }.map(\.0)
    let used = named.filter(desk.data.isUsed)
    return used + named.filter { $0.unavailability == nil && !desk.data.isUsed($0) }
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
