/// The names of Snaps. The portal stores what a Snap may do under `snap.NAME`, but from 1.18.2 on some of its dialogues name the
/// Snap by its desktop file, which snapd calls `NAME_APP` and, beside a second instance, `NAME+INSTANCE_APP`.
enum SnapName {
  /// Returns the name under which the portal stores; any other name as it is. Names of Flatpak programs have a dot.
  static func plain(_ app: String) -> String {
    guard !app.contains("."), let end = app.firstIndex(of: "_"), end != app.startIndex else { return app }
    let parts = app[..<end].split(separator: "+", omittingEmptySubsequences: false)
    let isName = parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isOfName) }
    guard isName, parts.count <= 2 else { return app }
    return "snap." + parts.joined(separator: "_")
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
    default: false
    }
  }
}
