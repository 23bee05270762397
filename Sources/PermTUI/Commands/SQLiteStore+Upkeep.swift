import Dispatch
import PermModel

extension SQLiteStore {
  /// Does what the store needs once a day, beside everything else, as a large one takes seconds. The doctor tells when no
  /// backup was made.
  func keepUpInBackground(journalDays: Int?) {
    DispatchQueue(label: "permtui.upkeep", qos: .background).async {
      try? self.keepUp(journalDays: journalDays)
    }
  }
}
