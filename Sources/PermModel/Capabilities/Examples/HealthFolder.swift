/// A folder with one file of measurements for each type, for example `steps.csv`: a line for each measurement.
struct HealthFolder {
  struct Measurements: Hashable {
    var type: Capability.Health.DataType
    var count: Int
  }

  let path: String
  private let fileSystem = FileSystem()

  init(_ path: String) { self.path = path }

  /// Returns the types with measurements, in the order of the types.
  func measurements() -> [Measurements] {
    let names = fileSystem.names(in: path)
    return Capability.Health.DataType.allCases.compactMap { type in
      let files = names.filter { $0.prefix { $0 != "." } == type.rawValue }
      guard !files.isEmpty else { return nil }
      return Measurements(type: type, count: files.reduce(0) { $0 + lines(of: "\(path)/\($1)") })
    }
  }

  /// Returns the number of lines that contain a number; a heading has none.
  private func lines(of file: String) -> Int {
    guard !Task.isCancelled, let text = fileSystem.text(of: file, limit: 64 << 20) else { return 0 }
    return text.split(whereSeparator: \.isNewline).count { line in line.contains { $0.isNumber } }
  }
}
