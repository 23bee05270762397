/// The version of the program, as in CHANGELOG.md.
enum Version {
  static let current = "0.1.0"
}
