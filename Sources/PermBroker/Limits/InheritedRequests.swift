import Machine
import Operations
import PermModel

/// The requests that waited when a broker began: their clients ask again, and are not counted a second time.
final class InheritedRequests: Sendable {
  private let requests = Lock<[Request.ID: Request]>([:])

  /// Notes what waits as the broker begins to serve.
  func note(_ waiting: [Request]) {
    requests.withLock { $0 = Dictionary(waiting.map { ($0.id, $0) }) { first, _ in first } }
  }

  /// When the request of this id was asked first, if it is one of them.
  func askedAt(_ id: Request.ID) -> Timestamp? { requests.withLock { $0[id]?.askedAt } }

  /// Whether this is one of them. It is so once: then it has been asked again.
  func take(_ request: Request) -> Bool {
    requests.withLock { requests in
      guard let known = requests.removeValue(forKey: request.id) else { return false }
      return known.subject == request.subject && known.atoms == request.atoms
    }
  }
}
