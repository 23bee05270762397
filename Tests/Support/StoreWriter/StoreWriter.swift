import Glibc
import PermModel

/// A separate process that changes a store, for tests in which several write at once or one is killed.
///
/// `StoreWriter answers STORE LABEL` decides again and again, and prints each number once it is kept. `StoreWriter
/// random STORE SEED COUNT` makes random changes. `StoreWriter open STORE` only opens the store, decides once, and
/// prints `kept` or the error.
@main
struct StoreWriter {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3 else { exit(64) }
    do {
      let store = try SQLiteStore(path: arguments[2], environment: .linux(sessionFolder: nil))
      switch (arguments[1], arguments.count) {
      case ("answers", 4): try answer(store, label: arguments[3])
      case ("random", 5):
        try change(store, seed: UInt64(arguments[3]) ?? 0, count: Int(arguments[4]) ?? 0)
      case ("open", 3): try answerOnce(store)
      default: exit(64)
      }
    } catch {
      say("\(error)")
      exit(2)
    }
  }

  private static func answer(_ store: SQLiteStore, label: String) throws(StoreError) {
    for number in 0... {
      let ruling = Ruling(.allow, subject: Subject(label: "\(label) \(number)"), atoms: [Atom("photos")])
      try store.decide(ruling, by: .library)
      say("\(number)")
    }
  }

  private static func answerOnce(_ store: SQLiteStore) throws(StoreError) {
    try store.decide(Ruling(.allow, subject: Subject(label: "once"), atoms: [Atom("photos")]), by: .library)
    say("kept")
  }

  private static func change(_ store: SQLiteStore, seed: UInt64, count: Int) throws(StoreError) {
    var changes = RandomChanges(seed: seed)
    for _ in 0..<count { try changes.make(in: store) }
  }

  private static func say(_ line: String) {
    print(line)
    fflush(nil)
  }
}
