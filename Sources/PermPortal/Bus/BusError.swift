import CSystemd

/// The reason why something on the bus did not work.
struct BusError: Error, Hashable, CustomStringConvertible {
  /// The name of the error on the bus, for example `org.freedesktop.portal.Error.NotFound`.
  var name: String
  var message: String

  var description: String { message }
}

extension BusError {
  private static let errors = "org.freedesktop.DBus.Error"

  /// Creates the error for a failed function of the library, which returns a negative error number.
  init(code: Int32) {
    self.init(name: "\(Self.errors).Failed", message: String(cString: strerror(-code)))
  }

  static func badArguments(_ message: String) -> BusError {
    BusError(name: "\(errors).InvalidArgs", message: message)
  }

  static func accessDenied(_ message: String) -> BusError {
    BusError(name: "\(errors).AccessDenied", message: message)
  }

  static func notSupported(_ message: String) -> BusError {
    BusError(name: "\(errors).NotSupported", message: message)
  }

  static func tooMany(_ message: String) -> BusError {
    BusError(name: "\(errors).LimitsExceeded", message: message)
  }

  var isNotFound: Bool { name == "org.freedesktop.portal.Error.NotFound" }
}

/// Returns the result of a function of the library, unless it is negative.
@discardableResult
func onBus(_ result: Int32) throws(BusError) -> Int32 {
  guard result >= 0 else { throw BusError(code: result) }
  return result
}
