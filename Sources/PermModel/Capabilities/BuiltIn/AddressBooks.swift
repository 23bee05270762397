/// The places of address books: Evolution's folders, and vdirs of `.vcf` files.
struct AddressBooks {
  /// The folders that hold address books, whether they exist or not.
  let roots: [String]
  private let fileSystem = FileSystem()

  init(_ environment: ProbeEnvironment) {
    roots = ["\(environment.dataHome)/evolution/addressbook"] + environment.contactFolders
  }

  /// Returns the folders with an Evolution database or at least one `.vcf` file.
  func books() -> [String] {
    roots.flatMap { root in
      ([root] + fileSystem.names(in: root).map { "\(root)/\($0)" }).filter { folder in
        fileSystem.names(in: folder).contains { $0.hasSuffix(".vcf") || $0 == "contacts.db" }
      }
    }
  }

  /// Returns the number of cards in the `.vcf` files of one address book.
  func cards(in book: String) -> Int {
    let files = fileSystem.names(in: book).filter { $0.hasSuffix(".vcf") }
    return files.reduce(0) { sum, name in
      guard !Task.isCancelled, let text = fileSystem.text(of: "\(book)/\(name)", limit: 64 << 20) else {
        return sum
      }
      return sum + text.split(whereSeparator: \.isNewline).count { $0.uppercased() == "BEGIN:VCARD" }
    }
  }
}
