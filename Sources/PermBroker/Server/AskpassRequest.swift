extension Methods.Request.Parameters {
  /// Returns the processes of which one uses a key, after checking that a key is asked for.
  func checkedKeyUsers() throws(BrokerError) -> [Int32] {
    guard let keyUsers else { return [] }
    guard capability == "keys", keyUsers.count <= KeyUserFinder.most else {
      throw .invalid(
        parameter: "keyUsers",
        reason: "only a request for a key can name them, and at most \(KeyUserFinder.most)")
    }
    return keyUsers
  }
}

extension IdentifiedProgram {
  /// Treats the program as one that cannot be examined, whose answers are for one request only.
  mutating func limitToOnce() {
    evidence.doubt = evidence.doubt ?? "it asks for this one time only"
    evidence.isUnreadable = true
  }
}
