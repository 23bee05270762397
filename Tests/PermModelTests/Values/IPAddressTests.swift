import Testing

@testable import PermModel

@Suite("IP addresses")
struct IPAddressTests {
  @Test(
    "The functions of C see the whole text, or it is refused",
    arguments: ["::1\0", "::1 x", "[::1\0]", "1.2.3.4\0", "1.2.3.4 x", "1.2.3.4\t", " ::1"])
  func wholeText(text: String) {
    #expect(IPAddress(canonical: text) == nil)
    #expect(throws: ScopeError.self) { try Host(text) }
  }

  @Test("An address that begins with zeros keeps the spelling that stores have")
  func zeros() throws {
    #expect(try Host("::1.2.3.4").name == "::102:304")
    #expect(try Host("::102:304").name == "::102:304")
    #expect(try Host("::ffff").name == "::ffff")
    #expect(try Host("64:ff9b::1.2.3.4").name == "64:ff9b::102:304")
  }

  @Test("The canonical spelling of any address reads back as the same address")
  func anyAddress() throws {
    for _ in 0..<2_000 {
      // Few different groups, so that runs of zeros are frequent.
      let groups = (0..<8).map { _ in String([0, 0, 1, 0xff, 0xffff].randomElement() ?? 0, radix: 16) }
      let text = groups.joined(separator: ":")
      let address = try IPAddress(version6: text)
      #expect(IPAddress(canonical: address.text) == address, "\(text)")
      #expect(try Host(text).name == address.text)
    }
  }
}
