package import PermModel

extension BrokerConnection {
  /// Asks; what becomes of it comes from ``bufferedProgress(of:at:)``.
  package func ask(_ question: BrokerQuestion) throws(BrokerError) {
    try send(Methods.Request.self, question.parameters, more: true)
  }

  /// What became of what was asked, if that is there already. Call ``read()`` when there are bytes.
  package func bufferedProgress(
    of asked: CapabilityReference, at moment: Timestamp
  ) throws(BrokerError) -> RequestProgress? {
    try buffered(of: Methods.Request.self).map { RequestProgress($0.reply, of: asked, at: moment) }
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
