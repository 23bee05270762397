import PermModel
import Testing

@testable import PermRun

@Suite("The list of questions")
struct QuestionListTests {
  private func use(_ number: Int) throws -> FileUse { .read(try AbsolutePath("/f/\(number)")) }

  @Test("Ten thousand questions are answered in the order in which they came")
  func order() throws {
    var questions = Questions<FileUse, Int>()
    for number in 0..<10_000 { #expect(questions.add(number, to: try use(number))) }
    #expect(questions.takeAnswered { _ in .open } == [])
    #expect(questions.takeAnswered { _ in .allowed } == Array(0..<10_000))
    #expect(questions.takeAnswered { _ in .allowed } == [])
  }

  @Test("Operations that ask for the same are one question, until none of them waits any more")
  func joined() throws {
    var questions = Questions<FileUse, Int>()
    #expect(questions.add(1, to: try use(0)))
    #expect(!questions.add(2, to: try use(0)))
    #expect(questions.remove { $0 == 1 } == [1])
    #expect(!questions.add(3, to: try use(0)))
    #expect(questions.remove { _ in true }.sorted() == [2, 3])
    #expect(questions.add(4, to: try use(0)))
  }
}
