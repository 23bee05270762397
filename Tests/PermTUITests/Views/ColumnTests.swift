import Testing

@testable import PermTUI

@Suite("Columns that adapt to their content")
struct ColumnTests {
  @Test("No column is cut while another has free cells, and all of them keep the width of the list")
  func rooms() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      let count = Int.random(in: 1...6, using: &random)
      let columns = (0..<count).map { place in
        Column(
          title: "Title", width: Int.random(in: 5...30, using: &random),
          weight: Int.random(in: 0...3, using: &random), isOptional: place > 1 && Bool.random(using: &random))
      }
      let fitted = Column.fit(columns, into: Int.random(in: 36...196, using: &random))
      let needs = columns.map { _ in Int.random(in: 1...80, using: &random) }
      let least = columns.map { _ in Int.random(in: 1...12, using: &random) }
      let adapted = Column.adapt(fitted, to: needs, least: least)
      func total(_ columns: [Column?]) -> Int { columns.reduce(0) { $0 + ($1?.width ?? 0) } }
      #expect(total(adapted) == total(fitted))
      let spare = zip(adapted, needs).compactMap { column, need in column.map { ($0, $0.width - need) } }
      let isCut = spare.contains { $0.1 < 0 }
      #expect(!isCut || spare.allSatisfy { $0.1 <= 0 }, "\(adapted) for \(needs)")
      let isFixedCut = spare.contains { $0.0.weight == 0 && $0.1 < 0 }
      #expect(!isFixedCut || spare.allSatisfy { $0.0.weight == 0 || $0.0.width <= 12 })
    }
  }

  @Test("Columns stay as they are if nothing in them is cut")
  func unchanged() {
    let columns = Column.fit(
      [Column(title: "A", width: 20, weight: 1), Column(title: "B", width: 10)], into: 50)
    #expect(Column.adapt(columns, to: [5, 10], least: [1, 1]) == columns)
  }
}
