package import PermModel

extension BrokerConnection {
  /// Asks; what becomes of it comes from ``nextProgress()``.
  package func ask(_ question: BrokerQuestion) throws(BrokerError) {
    try send(Methods.Request.self, question.parameters, more: true)
  }

  package func nextProgress() throws(BrokerError) -> RequestProgress {
    RequestProgress(try next(of: Methods.Request.self).reply)
  }

  /// What became of what was asked, if that is there already. Call ``read()`` when there are bytes.
  package func bufferedProgress() throws(BrokerError) -> RequestProgress? {
    try buffered(of: Methods.Request.self).map { RequestProgress($0.reply) }
  }

  /// Tells that this process asks on its own terminal about a request that it has waiting, or no longer does.
  ///
  /// - Throws: ``BrokerError`` if it may not, as where a dashboard asks.
  package func askHere(_ id: String, _ asks: Bool) throws(BrokerError) {
    _ = try call(Methods.AskHere.self, .init(id: id, asks: asks))
  }

  /// Answers a request of this process as its person did on its own terminal.
  ///
  /// - Throws: ``BrokerError/noSuchRequest(_:)`` if something else has answered it.
  package func answerHere(_ id: String, _ verdict: Verdict) throws(BrokerError) {
    _ = try call(Methods.AnswerHere.self, .init(id: id, verdict: verdict))
  }
}
