import Glibc
import PermBroker

@main
struct Main {
  static func main() async {
    var arguments = CommandLine.arguments.dropFirst()
    let asksOnDashboard = arguments.first == "--dashboard"
    if asksOnDashboard { arguments.removeFirst() }
    guard let source = arguments.first, arguments.count == 1, !source.hasPrefix("-") else {
      print(
        """
        Usage: ImportPictures [--dashboard] FOLDER
        Copies the pictures in FOLDER into your pictures folder, if you allow it: here, or on your dashboard.
        """)
      exit(64)
    }
    let authorizer = asksOnDashboard ? .throughBroker(as: "import-pictures") : onThisTerminal()
    await importPictures(from: source, authorizer)
  }

  /// Asks on this terminal, one question at a time. Answers are for this run, because the store is in memory.
  private static func onThisTerminal() -> Authorizer {
    Authorizer(
      subject: Subject(label: "import-pictures"), store: MemoryStore(environment: .linux(sessionFolder: nil)),
      slot: .default, environment: UserConfiguration.read(.current).environment)
  }

  private static func importPictures(from source: String, _ authorizer: Authorizer) async {
    let destination = authorizer.environment.pictures
    let reason = "bring the pictures of \(source) home"
    let handle = OperationQueue(name: "import").add(
      ImportPictures(source: source, destination: destination),
      conditions: [
        AuthorizedFor(Capability.Photos(.addOnly), authorizer: authorizer, reason: reason),
        AuthorizedFor(Capability.Cloud(.read), authorizer: authorizer, reason: reason),
      ])
    do {
      let count = try await handle.value
      print("Imported \(count) \(count == 1 ? "picture" : "pictures") into \(destination).")
    } catch let failed as ConditionsFailed {
      print("Nothing was imported.")
      for failure in failed.failures { print("  \(failure.condition): \(failure.error)") }
      exit(1)
    } catch {
      print("Nothing was imported: \(error)")
      exit(2)
    }
  }
}
