/// The interface in Varlink's own language, as `docs/io.permtui.Broker.varlink` has it; a test keeps both the same.
enum InterfaceDescription {
  static let text = """
    # Programs ask here before they act, and a person answers.
    #
    # The broker of a store listens at two Unix sockets. `ask` serves Request, Status, AskHere and AnswerHere, and is the
    # only one that may be given to a sandbox; `control` serves everything else. Both serve org.varlink.service. A process
    # that was started by a program with a request that waits may read at `control`, and change nothing.
    #
    # Moments are microseconds since 1970-01-01 00:00 UTC. A call may have 16 384 bytes.
    interface io.permtui.Broker

    # Who asks. What was never seen has no path; `inode` and `born`, the nanoseconds since 1970 at which the file was
    # made, tell which file the path was.
    type Program (
      label: string,
      path: ?string,
      inode: ?int,
      born: ?int,
      fileless: ?Fileless,
      sandbox: ?Sandbox
    )

    # A program that no file stands behind, known by its process, or, where it is muted, by its user and what led to it.
    type Fileless (
      pid: ?int,
      started: ?int,
      parents: int
    )

    # A mount namespace that is not the broker's, with the outermost process in it.
    type Sandbox (
      namespace: int,
      pid: int,
      started: int
    )

    # What was seen of the process that asks: evidence, not proof. `started` is in clock ticks since boot; `chain` are the
    # ancestors' names, the outermost first. With a `doubt` it cannot be told which program asks.
    type Evidence (
      pid: int,
      started: int,
      program: string,
      interpreter: ?string,
      chain: []string,
      terminal: ?string,
      folder: ?string,
      sandboxed: bool,
      doubt: ?string,
      unreadable: bool
    )

    # One asking. `parts` are the parts of the capability, for example `reminders`; `reason` is foreign text; `lifetime` is
    # what the program suggests, and decides nothing.
    type Question (
      id: string,
      program: Program,
      capability: string,
      parts: []string,
      reason: ?string,
      lifetime: ?Lifetime,
      asked: int,
      expires: ?int,
      evidence: ?Evidence
    )

    # A request that waits, with what an alert of its own shows; when `pid` ends it is withdrawn. `aside` is when the person
    # set it aside; `terminal` is the program's own terminal, while it asks there.
    type Waiting (
      alert: RequestAlert,
      pid: int,
      started: int,
      aside: ?int,
      terminal: ?string
    )

    # How long an answer shall hold. A duration has `milliseconds`, `until` has a moment.
    type Lifetime (
      kind: (once, process, session, duration, until, forever),
      milliseconds: ?int,
      until: ?int
    )

    # How long a decision holds. For `process` there are `pid` and `started`; for `session` its random id; for `until` the
    # moment, and the same in microseconds since the `boot`, whichever comes first.
    type Ending (
      kind: (process, session, until, forever),
      pid: ?int,
      started: ?int,
      session: ?string,
      until: ?int,
      boot: ?string,
      uptime: ?int
    )

    # An answer that is kept. `origin` is who decided, for example `command-line` or `dashboard 5f0c`.
    type Decision (
      program: Program,
      capability: string,
      part: string,
      verdict: (allow, deny),
      lifetime: Ending,
      origin: string,
      note: ?string,
      decided: int,
      used: ?int
    )

    # One line of the journal. The same automatic answer is summed up for a minute: `count` times up to `last`.
    type Entry (
      id: int,
      at: int,
      kind: string,
      origin: ?string,
      program: ?Program,
      capability: ?string,
      parts: []string,
      request: ?string,
      verdict: ?(allow, deny),
      text: ?string,
      count: int,
      last: ?int,
      change: ?int,
      before: ?Decision,
      after: ?Decision
    )

    # A person's answer. Without `parts` it is for all that was asked, without `lifetime` for this request only. With
    # `mute` the program's further requests are denied for an hour without an alert.
    type Response (
      verdict: (allow, deny),
      parts: ?[]string,
      lifetime: ?Lifetime,
      note: ?string,
      mute: ?bool
    )

    # What may be allowed instead of all that was asked.
    type Choice (parts: []string, title: string)

    # A lifetime that is offered, or why it is not, or why it is only for a denial.
    type Offer (lifetime: Lifetime, disabled: ?string, denial: ?string)

    # Another request that the answer is for: its alert would be the same, except for the process that asks.
    type Joined (id: string, pid: ?int, started: ?int)

    # How many other requests an answer answers if it is kept: a yes, and a no.
    type Reach (allow: int, deny: int)

    # A request as it is shown. `explanation` is what a yes gives on this machine, `definition` what it gives on any.
    # `instead` is the file seen under the label before, where that is another one, or the known label that it looks like.
    type RequestAlert (
      request: Question,
      title: string,
      action: string,
      explanation: string,
      definition: string,
      severity: (mild, moderate, severe),
      choices: []Choice,
      allowed: int,
      denied: int,
      last: ?int,
      identity: (inside, seen, first, denied, replaced, mismatch, alike, fileless, unknown),
      instead: ?string,
      lifetimes: []Offer,
      joined: []Joined,
      reach: Reach
    )

    # A question about something that is about to happen. Where there is a `word`, it must be typed to confirm.
    type Confirmation (
      title: string,
      message: string,
      action: string,
      cancel: string,
      destructive: bool,
      word: ?string
    )

    type Notice (title: string, message: string, button: string)

    # Something modal: one of the three is there.
    type Alert (
      id: string,
      request: ?RequestAlert,
      confirmation: ?Confirmation,
      notice: ?Notice
    )

    # ask: Asks for a capability, as in `calendar:reminders`, and waits for the answer. The `id` is the client's own choice:
    # random, and sent again if the connection is lost. Once a request needs a person, its id belongs to it: anything else
    # under that id is refused, and the same request gets the end again that it had. Called with "more", the first reply says
    # that it waits, and others follow whenever `presenters`, the number of dashboards that could show it, changes.
    method Request(
      id: ?string,
      capability: string,
      label: ?string,
      reason: ?string,
      lifetime: ?Lifetime,
      milliseconds: ?int
    ) -> (
      id: string,
      state: (waiting, allowed, denied, dismissed, timed_out, withdrawn, unavailable),
      explanation: ?string,
      allowed: ?[]string,
      denied: ?[]string,
      presenters: ?int
    )

    # ask: Tells that the process that waits for request `id` asks its person on its own terminal from now on, or with `asks`
    # false that it no longer does. Refused while a dashboard is open, and to what runs in a sandbox.
    method AskHere(id: string, asks: bool) -> ()

    # ask: Answers request `id` as the person did on the program's own terminal. Taken only from the process that waits for
    # it and said `AskHere`, and only if nothing has answered it meanwhile; `Request` then replies with the end. It answers
    # this one request, is journalled as what it was, and is never kept: a program that answers itself gains a reply that
    # it did not need.
    method AnswerHere(id: string, verdict: (allow, deny)) -> ()

    # ask: Tells what holds for the calling program now. Nobody is asked. Called with "more" it goes on to tell every change.
    # `decisions` are the program's own; `suspended` is since when the person has suspended all that is allowed.
    method Status(capability: string, label: ?string) -> (
      met: bool,
      summary: string,
      status: string,
      available: bool,
      explanation: ?string,
      decisions: []Decision,
      muted: ?Decision,
      suspended: ?int
    )

    # The requests that wait, the longest waiting first.
    method Pending() -> (requests: []Waiting)

    # Answers a request that waits, and no other; without an answer it is dismissed. The first answer counts. An answer needs
    # the `digest` of what was read: SHA-256 in hexadecimal digits over all that the request's own alert shows, as
    # docs/digests.md says. An answer that is kept also answers the others that it covers.
    method Answer(id: string, answer: ?Response, digest: ?string, origin: ?string) -> ()

    # Allows a program, by label or path, without being asked. Without a lifetime forever.
    method Allow(
      program: string,
      capability: string,
      lifetime: ?Lifetime,
      note: ?string,
      origin: ?string
    ) -> (decisions: []Decision)

    # Denies a program, by label or path, without being asked. Without a lifetime forever.
    method Deny(
      program: string,
      capability: string,
      lifetime: ?Lifetime,
      note: ?string,
      origin: ?string
    ) -> (decisions: []Decision)

    # Goes back to undecided: for one capability, for some of its parts, or for all. Gives what was forgotten.
    method Forget(program: string, capability: ?string, origin: ?string) -> (decisions: []Decision)

    # Takes back a change of decisions: the newest, or the one given. A program that was told yes may still be running.
    method Undo(change: ?int, preview: ?bool, origin: ?string) -> (
      change: int,
      entries: []Entry,
      conflicts: []string
    )

    # The journal, the newest first, at most `limit` entries (200 unless given, never more than 1000). Those `after` an entry
    # come the oldest first.
    method Log(
      label: ?string,
      path: ?string,
      capability: ?string,
      kinds: ?[]string,
      request: ?string,
      since: ?int,
      until: ?int,
      before: ?int,
      after: ?int,
      limit: ?int
    ) -> (entries: []Entry)

    # Tells how the broker is doing: its process, the dashboards that can show alerts, the requests without an answer.
    method State() -> (pid: int, presenters: int, waiting: int)

    # Tells every change by anyone, from now on or from an entry of the journal on. To be called with "more". `entries` is
    # empty where only something outside the journal changed.
    method Watch(after: ?int) -> (entries: []Entry, position: int)

    # Becomes one of the places where alerts are shown, until the connection ends. To be called with "more": the first
    # reply is empty, each further one has an alert to `show`, or the id of one to `withdraw`.
    method Attach(dashboard: string) -> (show: ?Alert, withdraw: ?string)

    # Tells what became of an alert that was given to this dashboard. `answered` and `confirmed` need the `digest` of the
    # alert as it was drawn. `declined`: it is to be shown elsewhere.
    method Respond(
      dashboard: string,
      alert: string,
      response: (answered, confirmed, refused, acknowledged, aside, dismissed, declined, reopened),
      answer: ?Response,
      digest: ?string,
      origin: ?string
    ) -> ()

    # There is no such capability, or no such part of it.
    error UnknownCapability (reason: string)

    # A parameter is not taken: which, and why.
    error Refused (parameter: string, reason: string)

    # The program asks too often, or has too many requests waiting. Nobody saw the request; try again later.
    error TooMuch (reason: string)

    # The calling process may look and change nothing: it was started by a program with a request that waits, or is in
    # another mount, user or process namespace than the broker.
    error MayNotChange (reason: string)

    # The answer is to something else than what is asked now. Nothing was answered; look again.
    error Changed ()

    # It was answered, withdrawn, or never there.
    error NoSuchRequest (id: string)

    # Nothing is known of it. `meant` is a name like it that is known.
    error NoSuchProgram (program: string, meant: ?string)

    error NoSuchFile (path: string)

    # Several programs go by this label. Name one by its path.
    error AmbiguousProgram (program: string, programs: []Program)

    error NothingToUndo ()

    error UndoRefused (reason: string)

    # The decisions cannot be read or written: why.
    error StoreFailed (reason: string)

    # The method is served at the other socket only.
    error OnOtherSocket (method: string, socket: string)

    """
}
