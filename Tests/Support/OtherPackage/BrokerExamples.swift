// begin example
import PermBroker
// end example
import PermModel

// The code of the overview of PermBroker, word for word.

func connectLikeTheOverview() {
  // begin example
  Authorizer.default = .throughBroker()
  // end example
}
