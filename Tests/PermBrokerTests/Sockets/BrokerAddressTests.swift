import Foundation
import Testing

@testable import PermBroker

@Suite("The location of the sockets")
struct BrokerAddressTests {
  private let folder: TemporaryFolder
  private var store: String { folder.file("permissions.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func candidates(isDefault: Bool = true, runtime: String?, store: String? = nil) -> [String] {
    BrokerAddress.candidates(
      store: store ?? self.store, isDefault: isDefault, runtimeFolder: runtime
    )
    .map(\.folder).filter { !$0.hasPrefix("/run/user/") }
  }

  @Test("The runtime folder comes first, then the folder beside the store")
  func order() {
    #expect(candidates(runtime: folder.path) == ["\(folder.path)/permtui", "\(folder.path)/run"])
  }

  @Test("A runtime folder that others may write to, that is a link, or that is not there is not used")
  func badRuntimeFolder() throws {
    let open = try folder.makeFolder("open")
    chmod(open, 0o777)
    try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: folder.path)
    for runtime in [open, folder.file("link"), folder.file("missing"), "relative", "", nil] {
      #expect(candidates(runtime: runtime) == ["\(folder.path)/run"])
    }
  }

  @Test("Another store has folders of its own")
  func otherStore() {
    let first = candidates(isDefault: false, runtime: folder.path)
    let second = candidates(isDefault: false, runtime: folder.path, store: folder.file("other.sqlite"))
    #expect(Set(first + second + candidates(runtime: folder.path)).count == 6)
    #expect(first == candidates(isDefault: false, runtime: folder.path))
  }

  @Test("A path that the system cannot take is not offered")
  func longPath() {
    let long = folder.file(String(repeating: "d", count: 100)) + "/permissions.sqlite"
    #expect(candidates(runtime: nil, store: long).isEmpty)
    #expect(candidates(isDefault: false, runtime: folder.path, store: long).count == 1)
  }
}
