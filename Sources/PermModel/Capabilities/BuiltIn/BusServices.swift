/// The services that D-Bus can start, read from the description files in the service folders. Reading these
/// files starts no service.
struct BusServices {
  let folders: [String]
  private let fileSystem = FileSystem()

  /// Returns the name, without folder and extension, of the file that describes the service with this bus name. Returns
  /// `nil` if there is no such file.
  func provider(of busName: String) -> String? {
    for folder in folders {
      if Task.isCancelled { return nil }
      let usual = "\(busName).service"
      if describes("\(folder)/\(usual)", busName) { return busName }
      let file = fileSystem.names(in: folder).first {
        $0.hasSuffix(".service") && $0 != usual && describes("\(folder)/\($0)", busName)
      }
      if let file { return String(file.dropLast(".service".count)) }
    }
    return nil
  }

  private func describes(_ path: String, _ busName: String) -> Bool {
    guard let text = fileSystem.text(of: path, limit: 16 << 10) else { return false }
    return KeyFile(text).sections.contains { $0.values["Name"] == busName }
  }
}
