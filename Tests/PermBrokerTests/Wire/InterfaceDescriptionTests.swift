import PermModel
import Testing

@testable import PermBroker

/// Checks that the description for clients matches what the code reads and writes, field by field.
@Suite("The description of the interface")
struct InterfaceDescriptionTests {
  private static let types: [any (Decodable & SendableMetatype).Type] = [
    Wire.Program.self, Wire.Fileless.self, Wire.Sandbox.self, Wire.Evidence.self, Wire.Question.self,
    Wire.Waiting.self, Wire.WaitingChange.self, Wire.LifetimeChoice.self,
    Wire.Lifetime.self, Wire.Decision.self, Wire.DecisionKey.self, Wire.Entry.self, Wire.Response.self,
    Wire.Choice.self,
    Wire.Offer.self, Wire.Joined.self, AnswerReach.self, Wire.RequestAlert.self, Confirmation.self,
    Notice.self, Wire.Alert.self, Wire.Shown.self, ScopeFields.self, Wire.Value.self, Wire.Folder.self,
    Wire.Details.self,
    Wire.Facts.self, Wire.PathFact.self, Wire.Cover.self, Wire.Ruling.self, Wire.Requirement.self,
    ProtectedFact.self,
    Wire.OwnCapability.self, Wire.OwnPart.self, Wire.Walled.self,
  ]

  private static let methods: [any BrokerMethod.Type] = [
    Methods.Request.self, Methods.RequestFor.self, Methods.Withdraw.self, Methods.Status.self,
    Methods.Pending.self, Methods.Answer.self, Methods.Allow.self,
    Methods.Deny.self, Methods.Decide.self, Methods.Forget.self, Methods.Mute.self, Methods.Unmute.self,
    Methods.Panic.self, Methods.Undo.self, Methods.Redo.self, Methods.Import.self, Methods.Log.self,
    Methods.Watch.self,
    Methods.State.self, Methods.Attach.self, Methods.Look.self, Methods.Respond.self, Methods.AskHere.self,
    Methods.AnswerHere.self, Methods.Unasked.self, Methods.Hold.self,
    Methods.OwnCapabilities.self, Methods.Supervise.self, Methods.Ask.self, Methods.Enter.self,
    Methods.Unask.self,
  ]

  @Test("has each type and each method exactly as the code has it, and no other")
  func complete() throws {
    let description = try #require(VarlinkService.description(of: BrokerError.interface))
    let described = Set(Self.members(of: description))
    let types = try Self.types.map {
      "type \(VarlinkSchema.name(of: $0)) \(try VarlinkSchema.fields(of: $0))"
    }
    let methods = try Self.methods.map { try Self.declaration(of: $0) }
    let others = described.filter { $0.hasPrefix("error ") || $0.hasPrefix("interface ") }
    #expect(described.subtracting(others).symmetricDifference(types + methods) == [])
  }

  @Test("has what every service has")
  func service() throws {
    let description = try #require(VarlinkService.description(of: VarlinkService.interface))
    let methods: [any BrokerMethod.Type] = [
      VarlinkService.GetInfo.self, VarlinkService.GetInterfaceDescription.self,
    ]
    #expect(
      Self.members(of: description).filter { $0.hasPrefix("method ") }
        == (try methods.map { try Self.declaration(of: $0) }))
  }

  private static func declaration<Method: BrokerMethod>(of method: Method.Type) throws -> String {
    let parameters = try VarlinkSchema.fields(of: Method.Parameters.self)
    return "method \(method.name)\(parameters) -> \(try VarlinkSchema.fields(of: Method.Reply.self))"
  }

  /// Returns the declarations of the description, one per line, without comments.
  private static func members(of description: String) -> [String] {
    description.split(separator: "\n\n").compactMap { paragraph in
      let lines = paragraph.split(separator: "\n").filter { !$0.hasPrefix("#") }
      let member = lines.map { $0.trimmingPrefix(while: \.isWhitespace) }.joined(separator: " ")
      return member.replacing("( ", with: "(").replacing(" )", with: ")")
    }
  }
}

extension Wire.LifetimeChoice.Kind: Choice {}
extension Wire.Lifetime.Kind: Choice {}
extension Severity: Choice {}
extension Scope.Kind: Choice {}
extension Wire.Identity: Choice {}
extension Methods.Request.State: Choice {}
extension Methods.Status.State: Choice {}
extension Methods.Respond.Response: Choice {}
extension Methods.Ask.Caution: Choice {}
extension Verdict: Choice {}
extension UnaskedReason: Choice {}
extension JournalEntry.Kind: Choice {}
