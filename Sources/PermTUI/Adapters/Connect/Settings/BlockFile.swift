import PermBroker

/// A settings file with a marked block of ours.
struct BlockFile: Sendable {
  let path: String
  let block: MarkedBlock

  func addition() throws(CommandError) -> SettingsChange {
    let file = try SettingsFile(path)
    do throws(TextProblem) {
      return SettingsChange(
        file: file, after: try block.added(to: file.content),
        made: file.content == nil ? [SettingsChange.wholeFile] : [])
    } catch {
      throw file.error(error)
    }
  }

  func removal(_ record: ConnectionRecord) throws(CommandError) -> SettingsChange? {
    let file = try SettingsFile(path)
    do throws(TextProblem) {
      guard let content = file.content, let rest = try block.removed(from: content) else { return nil }
      let isOurs = record.made(in: file.path)?.contains(SettingsChange.wholeFile) ?? false
      return SettingsChange(file: file, after: rest.isEmpty && isOurs ? nil : rest)
    } catch {
      throw file.error(error)
    }
  }

  /// Returns our lines in the file; an empty list if there are none.
  func lines() throws(CommandError) -> [String] {
    let file = try SettingsFile(path)
    do throws(TextProblem) {
      return try file.content.flatMap { content throws(TextProblem) in try block.found(in: content) }
        ?? []
    } catch {
      throw file.error(error)
    }
  }
}
