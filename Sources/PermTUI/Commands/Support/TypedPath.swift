import Machine
import PermModel

/// A path as a person types it after the `@` of a reference. It can begin at the home folder or at the current folder.
struct TypedPath {
  /// The absolute path. It can still contain links, `.` and `..`.
  let bytes: [UInt8]
  /// Whether the folder and everything below it is meant.
  let isFolder: Bool

  private static let slash = UInt8(ascii: "/")

  /// - Throws: ``CommandError`` if the text has a wrong escape, or begins with another person's home folder.
  init(_ text: some StringProtocol, home: String) throws(CommandError) {
    var bytes: [UInt8]
    do throws(ScopeError) {
      bytes = try Scope.unescaped(text)
    } catch {
      throw .usage("\"\(VisibleText.brief(text))\": \(error)")
    }
    isFolder = bytes.last == Self.slash
    if bytes.first == UInt8(ascii: "~") {
      guard bytes.count == 1 || bytes[1] == Self.slash else {
        let typed = VisibleText.brief(text)
        throw .usage("\"\(typed)\": write the whole path, or ./\(typed) for an entry of the current folder")
      }
      bytes = Array(home.utf8) + bytes.dropFirst()
    }
    guard bytes.first != Self.slash, !bytes.isEmpty else {
      self.bytes = bytes
      return
    }
    guard let folder = Paths.resolved([UInt8(ascii: ".")]) else {
      throw CommandError("the current folder is gone; write the whole path")
    }
    self.bytes = folder + [Self.slash] + bytes
  }

  /// The path without empty names and `.`.
  var plain: [UInt8] {
    let names = bytes.split(separator: Self.slash).filter { !$0.elementsEqual(".".utf8) }
    return names.flatMap { [Self.slash] + $0 } + (isFolder || names.isEmpty ? [Self.slash] : [])
  }

  /// Returns the path after following all links, as far as its entries exist.
  ///
  /// - Throws: ``ScopeError/leadsUpwards`` if `..` follows an entry that does not exist, ``ScopeError/rootAlone`` if the
  ///   path leads to the root, but was not typed as a folder.
  func resolved() throws(ScopeError) -> [UInt8] {
    var place: [UInt8] = [Self.slash]
    var isThere = true
    for name in bytes.split(separator: Self.slash) where !name.elementsEqual(".".utf8) {
      guard !name.elementsEqual("..".utf8) else {
        guard isThere else { throw .leadsUpwards }
        place = Array(place[..<max(1, place.lastIndex(of: Self.slash) ?? 1)])
        continue
      }
      let next = place + (place.count == 1 ? [] : [Self.slash]) + name
      let known = isThere ? Paths.resolved(next) : nil
      isThere = known != nil
      place = known ?? next
    }
    guard isFolder || place.count > 1 else { throw .rootAlone }
    return place + (isFolder && place.count > 1 ? [Self.slash] : [])
  }
}
