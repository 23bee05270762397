/// The request to try first. It works on every machine.
enum FirstRequest {
  static let command = "permtui request system:look@hostname --as me"
}
