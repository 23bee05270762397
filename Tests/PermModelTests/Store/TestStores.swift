import Foundation
import Machine
import PermModelTesting
import Testing

@testable import PermModel

/// The two kinds of store, on which every test of the suite runs.
enum StoreKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case memory = "in memory"
  case sqlite = "SQLite"

  var testDescription: String { rawValue }

  /// Makes a store of this kind, with its folder, which is deleted with the box.
  func make(_ world: FixedEnvironment = FixedEnvironment()) throws -> StoreBox {
    switch self {
    case .memory: return StoreBox(MemoryStore(environment: world.environment), world: world, folder: nil)
    case .sqlite:
      let folder = try TestFolder()
      let store = try SQLiteStore(path: folder.storePath, environment: world.environment)
      return StoreBox(store, world: world, folder: folder)
    }
  }
}

/// A store under test.
final class StoreBox {
  let store: any PermissionStore
  let world: FixedEnvironment
  private let folder: TestFolder?

  init(_ store: any PermissionStore, world: FixedEnvironment, folder: TestFolder?) {
    self.store = store
    self.world = world
    self.folder = folder
  }

  /// The standing of a program about which nothing is decided.
  var nothing: DecisionsInForce {
    var standing = DecisionsInForce()
    standing.protected = store.environment.protected
    return standing
  }
}

/// A private folder that is deleted with this object.
final class TestFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/permtui-tests-" + RandomID.make()
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  var storePath: String { path + "/permtui/permissions.sqlite" }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
