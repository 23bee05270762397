import Glibc
import Operations
import PermModel

@main
struct Main {
  static func main() async {
    guard CommandLine.arguments.count == 2 else {
      print(
        "Usage: ImportPictures FOLDER    copies the pictures in FOLDER into your pictures folder, if you allow it"
      )
      exit(64)
    }
    let environment = UserConfiguration.read(.current).environment
    // `ModalSlot.default` asks on this terminal. Answers are for this run, because the store is in memory.
    let authorizer = Authorizer(
      subject: Subject(label: "import-pictures"), store: MemoryStore(environment: .linux(sessionFolder: nil)),
      slot: .default, environment: environment)
    let reason = RequestDetails(reason: "bring the pictures of \(CommandLine.arguments[1]) home")
    let handle = OperationQueue(name: "import").add(
      ImportPictures(source: CommandLine.arguments[1], destination: environment.pictures),
      conditions: [
        AuthorizedFor(Capability.Photos(.addOnly), authorizer: authorizer, reason),
        AuthorizedFor(Capability.Cloud(.read), authorizer: authorizer, reason),
      ])
    do {
      print("Imported \(try await handle.value) pictures into \(environment.pictures).")
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
