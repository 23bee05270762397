import Machine

extension Board {
  /// A moment, as a duration since a fixed point on a clock that also runs while the machine sleeps.
  package typealias Moment = Duration

  /// A request on its way to the board, as far as the board's rules need to know it.
  package struct Question: Sendable {
    package var id: Request.ID
    /// The alert as lists show it until the alert itself is made.
    package var summary: Alert.Content
    /// Requests with the same key can share an alert; `nil` for a request that shares none.
    package var key: Key?
    /// The program that takes turns; `nil` for a request that waits for nobody's turn.
    package var program: ProgramKey?
    /// The cost of a new alert; `nil` if it costs nothing.
    package var charge: Charge?
    /// Whether the request is made on behalf of an operation that might itself hold the modal slot. Such a request shares
    /// no alert, and waits for nobody's turn.
    package var hasLease = false
    /// The moment at which the program gives up, if that is soon.
    package var deadline: Moment?

    package init(
      _ id: Request.ID, summary: Alert.Content, key: Key? = nil, program: ProgramKey? = nil,
      charge: Charge? = nil,
      hasLease: Bool = false, deadline: Moment? = nil
    ) {
      (self.id, self.summary, self.key, self.program) = (id, summary, key, program)
      (self.charge, self.hasLease, self.deadline) = (charge, hasLease, deadline)
    }
  }

  /// The cost of a new alert.
  package struct Charge: Hashable, Sendable {
    /// The program and the family that pay.
    package var account: CostAccount
    /// Whether the request waits if its program asks too often.
    package var isPatient = false
    /// Whether an earlier broker has admitted the request already.
    package var isInherited = false

    package init(to account: CostAccount, isPatient: Bool = false, isInherited: Bool = false) {
      (self.account, self.isPatient, self.isInherited) = (account, isPatient, isInherited)
    }
  }

  /// A program that gives up within this time goes ahead in the line.
  static let soon = Duration.seconds(120)

  /// The traits of the requests that can share an alert.
  package struct Key: Hashable, Sendable {
    /// The place where the alert is made. Requests of different places share none.
    let source: ObjectIdentifier
    let alert: AlertKey
  }

  /// An alert and, in order of arrival, the requests that wait for its answer.
  package struct Item: Identifiable, Sendable {
    package enum Phase: Hashable, Sendable {
      /// Waits for a place among the limits, without an alert.
      case patient
      case inLine
      /// Holds the modal slot. Requests can still join, because no screen shows it yet.
      case first
      /// The alert is being made. From now on no request can join.
      case rising
      /// The alert can be read and answered.
      case up
      /// An answer is being checked and stored. No other answer counts.
      case settling
      /// A person will answer it later. It is kept at this screen.
      case aside(at: Screen.ID)
    }

    package typealias ID = Int

    /// A number that no other item of the board has or had.
    package let id: ID
    /// The id of the alert, which is that of the request that began it unless another alert has that id already.
    package let alert: Alert.ID
    /// The request that began the item; for an alert that nothing can join, what would be the same in a request. It is
    /// behind a reference, because each picture of a board copies its items.
    @CopyOnWrite private var question: Question
    package internal(set) var phase = Phase.inLine {
      didSet { if phase == .patient { wasPatient = true } }
    }
    /// Whether the item has waited for a place among the limits.
    private(set) var wasPatient = false
    /// The requests that wait for the answer; empty for a confirmation or a notice.
    package internal(set) var requests: [Request.ID] = []
    /// The requests that are not in the store yet.
    var unstored: Set<Request.ID> = []
    /// The alert as lists show it.
    package private(set) var listed: Alert
    private var isMade = false
    /// The alert as it is on the screens; `nil` until it is made.
    package internal(set) var made: Alert? {
      get { isMade ? listed : nil }
      set {
        isMade = newValue != nil
        listed = newValue ?? Alert(id: alert, content: question.summary)
        madeVersion = version
      }
    }
    /// The version of the alert that is on the screens.
    private(set) var madeVersion = 0
    /// The number of the alert that is being made. An alert with another number is out of date.
    var version = 0
    /// Whether the alert that was made must be made again once all requests are in the store.
    var isMadeEarly = false
    var showings: [Screen.ID: Showing] = [:]
    /// The claim with which the item holds the modal slot.
    var claim: Claim.ID?
    @CopyOnWrite var admission: RequestLimits.Admission?
    /// Whether a person has answered, so that the requests' tokens are given back.
    var isAnswered = false
    /// The dashboard that set the item aside last.
    var asideBy: Origin?
    /// The ends that requests were given elsewhere while an answer was being stored.
    var ends: [Request.ID: RequestEnd] = [:]

    init(_ question: Question, id: ID, alert: Alert.ID, requests: [Request.ID]) {
      (self.id, self.alert, self.question) = (id, alert, question)
      listed = Alert(id: alert, content: question.summary)
      (self.requests, unstored) = (requests, Set(requests))
    }

    var key: Key? { question.key }
    var program: ProgramKey? { question.program }
    var hasLease: Bool { question.hasLease }
    var deadline: Moment? { question.deadline }
    var account: CostAccount? { question.charge?.account }

    /// Whether a screen shows the item, or is about to.
    package var isOnScreen: Bool { showings.values.contains { $0 == .shown || $0 == .wanted } }
  }

  /// The item at one screen.
  enum Showing: Hashable, Sendable {
    case offered
    /// The screen waits for the alert.
    case wanted
    case shown
    /// The item was set aside here.
    case aside
    /// The screen does not show it. It is asked again when a screen comes or goes.
    case declined
  }

  /// A place that shows alerts.
  package struct Screen: Identifiable, Sendable {
    package enum Kind: Sendable {
      /// A presenter that is handed one alert after another, and says when it has taken one away.
      case presenter
      /// A screen that follows its ``ScreenPicture``.
      case pictures
      /// A person who picks requests from a list. No alert comes up there.
      case list
    }

    package typealias ID = Int
    package let id: ID
    package let kind: Kind
    /// The dashboard at this screen, which is the origin of what is done there; `nil` if the screen is no dashboard.
    package let dashboard: String?
    /// The process of a dashboard that is attached over a connection; `nil` for a screen of this process.
    package let process: Int32?
    /// The operator of a dashboard on another machine; `nil` for one on this machine.
    package let operatorName: String?
    /// Whether no alert comes up by itself here.
    package internal(set) var isOnHold = false

    var origin: Origin? {
      dashboard.map { id in
        operatorName.map { .operator(name: $0, dashboard: id) } ?? .dashboard(id: id)
      }
    }
  }

  /// A claim to the exclusion category of the modal slot.
  struct Claim: Sendable {
    typealias ID = Int
    /// The item on whose lease the claim is made; `nil` for the claim of whichever item is first.
    var lender: Item.ID?
    var isGranted = false
    /// The item that holds the slot.
    var holder: Item.ID?
    /// The screens that have not taken the holder away yet. The slot is released once they have.
    var leaving: Set<Visit> = []
  }

  /// An item at a screen.
  package struct Visit: Hashable, Sendable {
    package let item: Item.ID
    package let screen: Screen.ID
  }
}
