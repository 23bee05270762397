import ProgramVersion
import Testing

@testable import PermTUI

@Suite("The version")
struct VersionTests {
  @Test("It is followed by the commit if the build knew it")
  func commit() {
    #expect(Version.text(commit: "0123456789ab-dirty") == "\(Version.current) (0123456789ab-dirty)")
    #expect(Version.text(commit: "") == Version.current)
  }
}
