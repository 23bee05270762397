import PermBroker
import Testing

@testable import PermTUI

@Suite("A broker of another version")
struct BrokerVersionTests {
  @Test(
    "is told from what it does not know, with what to do",
    arguments: [
      BrokerError.unknownMethod("io.permtui.Broker.Undo"), .unknownInterface("io.permtui.Broker"),
    ])
  func advice(error: BrokerError) throws {
    let told = try #require(CommandError(model: error))
    #expect(told.message.contains("it may be of another version"))
    #expect(told.advice.first?.contains("start this version") == true)
    #expect(told.status == .failed)
  }
}
