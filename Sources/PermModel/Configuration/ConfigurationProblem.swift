/// A mistake in a configuration file. The rest of the file still takes effect.
package struct ConfigurationProblem: Error, Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    /// The file as a whole.
    case file
    /// The line, counted from 1, of a setting or header that cannot be read.
    case line(Int)
    /// A value, identified by its path: the keys that lead to it, joined with dots.
    case key(String)
  }

  package var file: String
  package var place = Place.file
  /// A description of the mistake and how to correct it.
  package var message: String
}

extension ConfigurationProblem: CustomStringConvertible {
  package var description: String {
    switch place {
    case .file: "\(file): \(message)"
    case .line(let line): "\(file):\(line): \(message)"
    case .key(let path): "\(file): \(path): \(message)"
    }
  }
}
