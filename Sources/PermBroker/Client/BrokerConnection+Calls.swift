extension BrokerConnection {
  /// Asks; what becomes of it comes from ``nextProgress()``.
  package func ask(_ question: BrokerQuestion) throws(BrokerError) {
    try send(Methods.Request.self, question.parameters, more: true)
  }

  package func nextProgress() throws(BrokerError) -> RequestProgress {
    RequestProgress(try next(of: Methods.Request.self).reply)
  }
}
