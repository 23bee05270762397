import Testing

@testable import PermTUI

@Suite("Rows of the desktop's permission store")
struct DesktopRowTests {
  @Test("Each line is a row; one that is not understood is an error")
  func rows() {
    let line = #"{"app":"org.example.Cam","id":"camera","permissions":["yes"],"table":"devices"}"#
    #expect(
      DesktopRows.rows(line + "\n")
        == [.init(table: "devices", id: "camera", app: "org.example.Cam", permissions: ["yes"])])
    #expect(DesktopRows.rows("") == [])
    #expect(DesktopRows.rows(line + "\n{}\n") == nil)
  }

  @Test("The list marks the rows as the desktop's, and shows an app's escapes harmlessly")
  func table() {
    let rows = DesktopRows(rows: [
      .init(table: "location", id: "location", app: "", permissions: ["CITY", "0"]),
      .init(table: "devices", id: "camera", app: "org.evil\u{1b}[31m", permissions: ["no"]),
    ])
    let (data, messages) = (RecordedSink(), RecordedSink())
    try? TestShell().context(data, messages).console.print(rows.table)
    #expect(data.text.contains("apps without a name"))
    #expect(data.text.contains("devices/camera"))
    #expect(data.text.contains("desktop"))
    #expect(!data.text.contains("\u{1b}[31m"))
  }
}
