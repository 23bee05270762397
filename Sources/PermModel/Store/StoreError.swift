/// What went wrong with the store. Its description says what to do about it.
public enum StoreError: Error, Hashable, Sendable {
  /// A file or folder belongs to another user.
  case wrongOwner(path: String, owner: UInt32)
  /// A symbolic link stands where the store's file or folder should be.
  case symbolicLink(path: String)
  /// Something else than a file stands where the store should be, or than a folder around it.
  case wrongKind(path: String, expected: String)
  /// Others may write into the folder, so they could put another file in the store's place.
  case openFolder(path: String, mode: UInt32)
  /// A newer program made the file.
  case newerVersion(path: String, found: Int, known: Int)
  /// The file is not a database, or its pages do not fit together.
  case damaged(path: String, detail: String)
  /// Nothing can be written: why, in words.
  case readOnly(path: String, reason: String)
  case diskFull(path: String)
  /// The file was removed or replaced while it was open. Nothing more is read from it or written to it.
  case removed(path: String)
  /// Another process held the lock for longer than five seconds.
  case busy(path: String)
  /// Another process has the store open, where this one needs it alone.
  case inUse(path: String)
  /// A call of the operating system failed.
  case system(path: String, call: String, errno: Int32)
  /// SQLite failed in a way that has no case of its own.
  case database(path: String, code: Int, message: String)
  /// There is no change left that could be undone.
  case nothingToUndo
  /// The change cannot be undone: these decisions changed since.
  case undoRefused(DecisionChange, conflicts: [UndoConflict])
  /// A line of an import cannot be read.
  case unreadableLine(number: Int, reason: String)
  /// Something else was asked under the id of a request.
  case requestIDTaken(Request.ID)
  /// What is given shall be kept only for one request, or for a process that is not known.
  case nothingToKeep
}
