import CFuse
import CWalls
import Machine
import PermModel

/// A folder that the program behind the walls uses as it is outside, without the shadow: as fast as outside, and without
/// being asked. It cannot be taken back from the program, which therefore ends if it is denied.
final class NativeFolder: Sendable {
  let path: AbsolutePath
  /// A descriptor that keeps the folder the one that was looked at.
  let descriptor: Int32
  private let protected: ProtectedNames
  /// The findings at the start. The list at the end leaves them out.
  private let known: Set<NativeFinding>

  /// The largest number of findings that are kept from the start, and of those that are told at the end.
  private static let (mostKnown, mostTold) = (100_000, 20)
  /// The largest number of protected names that are kept from changes.
  private static let mostProtected = 1000

  /// Opens a folder, and makes sure that it is fit for that use.
  init(_ name: String, _ place: NativePlace) throws(WallsFailure) {
    descriptor = walls_open_exactly(name.hasPrefix("/") ? name : "\(place.working.decoded)/\(name)")
    guard descriptor >= 0 else { throw Self.failure(name, Self.reason(walls_error())) }
    let found: (path: AbsolutePath, known: Set<NativeFinding>)
    do throws(WallsFailure) { found = try Self.check(descriptor, name, place) } catch {
      close(descriptor)
      throw error
    }
    (path, known, protected) = (found.path, found.known, place.protected)
  }

  deinit { close(descriptor) }

  private static func reason(_ code: Int32) -> String {
    switch code {
    case ENOENT: "there is no such folder; make it first"
    case ELOOP: "a link leads there; name the folder itself"
    default: SystemError.reason(code)
    }
  }

  private static func failure(_ name: String, _ reason: String) -> WallsFailure {
    WallsFailure("\(name) cannot be used as it is outside: \(reason)")
  }

  private static func check(
    _ descriptor: Int32, _ name: String, _ place: NativePlace
  ) throws(WallsFailure) -> (AbsolutePath, Set<NativeFinding>) {
    guard let status = try? NodeTable.status(descriptor), status.isFolder else {
      throw failure(name, "it is no folder; if a link leads there, name the folder itself")
    }
    guard status.st_uid == Users.current else { throw failure(name, "it belongs to another user") }
    guard let bytes = Paths.targetBytes(ofLink: "/proc/self/fd/\(descriptor)"),
      let path = try? AbsolutePath(bytes)
    else { throw failure(name, "it has no path") }
    if let objection = place.objection(to: path, descriptor) { throw failure(name, objection) }
    var search = NativeSearch(
      descriptor, at: path, place.protected, into: NativeFindings(most: mostKnown))
    search.run()
    let findings = search.findings
    if let refused = findings.kept.filter(\.isRefused).min(by: { $0.path.lexicographicallyPrecedes($1.path) })
    {
      throw failure(name, refused.told(of: name))
    }
    let count = findings.kept.count { $0.kind == .protectedName }
    guard count <= mostProtected else {
      throw failure(name, "it has \(count) protected names in it, and at most \(mostProtected) can be kept")
    }
    guard findings.further == 0 else { throw failure(name, "too many links in it lead out") }
    return (path, findings.kept)
  }

  /// The paths of the protected names in it, which the program can read, and not change.
  var kept: [String] {
    known.filter { $0.kind == .protectedName }.map {
      "\(path.decoded)/\(String(decoding: $0.path, as: UTF8.self))"
    }
    .sorted()
  }

  /// The uses that nobody may deny.
  var uses: [FileUse] { [.read(path, isWhole: true), .write(path, isWhole: true)] }

  /// Says what has come to count beyond the folder since the start.
  func tell(_ notes: Notes) {
    var search = NativeSearch(
      descriptor, at: path, protected, into: NativeFindings(except: known, most: Self.mostTold))
    search.run()
    let (findings, name) = (search.findings, Scope.path(path).text)
    guard !findings.kept.isEmpty else { return }
    notes.note("in \(name), which the program used as it is outside:")
    for finding in findings.kept.sorted(by: { $0.path.lexicographicallyPrecedes($1.path) }) {
      notes.note("  \(finding.told(of: name))")
    }
    if findings.further > 0 { notes.note("  and \(findings.further) more") }
  }
}
