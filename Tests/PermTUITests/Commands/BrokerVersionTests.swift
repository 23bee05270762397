import PermBroker
import PermModel
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

  @Test("An error of its store has the advice on a line of its own, as without a broker")
  func storeError() throws {
    let error = StoreError.removed(path: "/srv/store")
    let advice = try #require(error.advice)
    for told in [CommandError(model: error), CommandError(model: BrokerError.store(reason: "\(error)"))] {
      #expect(told?.message == error.problem)
      #expect(told?.advice == [advice])
    }
  }

  @Test("On the one line of a dashboard, the advice comes before what could be cut")
  func report() throws {
    let error = StoreError.removed(path: "\(HomeFolder.path)/store")
    let text = Report.words(of: BrokerError.store(reason: "\(error)"))
    #expect(
      text
        == "Start permtui again; permtui doctor tells of backups. ~/store was removed or replaced while it was open"
    )
    #expect(Report.words(of: StoreError.nothingToUndo) == "there is nothing left to undo")
  }
}
