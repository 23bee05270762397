/// The request to try first. It works on every machine.
enum FirstRequest {
  static let command = "permtui request commands:run@'git push origin main' --as me"
}
