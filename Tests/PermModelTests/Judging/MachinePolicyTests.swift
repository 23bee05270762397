import Glibc
import Machine
import Testing

@testable import PermModel

@Suite("The machine's policy")
struct MachinePolicyTests {
  let photos = Capability.Photos.definition

  @Test("A part, a program, or all of it can be forbidden")
  func restrictions() {
    let (policy, problems) = MachinePolicy.parse(
      """
      [[restrict]]
      capability = "camera"
      [[restrict]]
      capability = "photos"
      parts = ["read"]
      programs = ["/usr/bin/thumbs"]
      """, file: "policy.toml")
    #expect(problems.isEmpty)
    let thumbs = Subject(label: "thumbs", path: "/usr/bin/thumbs")
    let backup = Subject(label: "backup", path: "/usr/bin/backup")
    #expect(policy.restricted(for: backup, Capability.Camera.definition) == [Atom("camera")])
    #expect(policy.restricted(for: thumbs, photos) == [Atom("photos", "read")])
    #expect(policy.restricted(for: backup, photos).isEmpty)
    #expect(policy.restricted(for: Subject(label: "thumbs"), photos) == [Atom("photos", "read")])
  }

  @Test("A part that the policy forbids also forbids every part that includes it")
  func closure() {
    let policy = MachinePolicy([.init(capability: "location", parts: ["when-in-use"])])
    let definition = Capability.Location.definition
    let decided = DecidedAtoms(
      definition, restricted: policy.restricted(for: Subject(label: "x"), definition))
    #expect(decided.state(of: "always") == .restricted)
  }

  @Test("A part that is forbidden in all accounts is forbidden in each, also as part of more")
  func containers() {
    let cloud = Capability.Cloud.definition
    let decided = DecidedAtoms(cloud, restricted: [Atom("cloud", "read")])
    for name in ["read", "read@nas", "write", "write@nas"] {
      #expect(decided.state(of: Atom("cloud", written: name)) == .restricted, "\(name)")
    }
    let one = DecidedAtoms(cloud, restricted: [Atom("cloud", "read", .name("nas"))])
    #expect(one.state(of: "read") == .restricted)
    #expect(one.state(of: Atom("cloud", "read", .name("box"))) == .undecided)
  }

  @Test(
    "A part that the capability does not have forbids all of it until it is corrected, and is reported",
    arguments: [
      (#"["aa"]"#, #""aa" is not a part of photos; it has read, limited, add-only;"#),
      (#"["raed"]"#, #""raed" is not a part of photos; did you mean "read"?"#),
      (#"["read", "add"]"#, #""add" is not a part of photos; did you mean "add-only"?"#),
      (#"["read@nas"]"#, #""read@nas" is not a part of photos;"#), ("[]", "names no part;"),
      ("5", "must be a list of texts"),
    ])
  func wrongParts(_ parts: String, _ words: String) {
    let (policy, problems) = MachinePolicy.parse(
      "[[restrict]]\ncapability = \"photos\"\nparts = \(parts)\n", file: "policy.toml")
    let backup = Subject(label: "backup", path: "/usr/bin/backup")
    #expect(policy.restricted(for: backup, photos) == Set(photos.atoms))
    #expect(problems.count == 1)
    let problem = problems.first.map { "\($0)" } ?? ""
    #expect(problem.hasPrefix("policy.toml: restrict[0].parts: \(words)"), "\(problem)")
    #expect(parts == "5" || problem.hasSuffix("until this is corrected, all of photos is forbidden"))
  }

  @Test(
    "Programs that cannot be told forbid it to all until they are corrected",
    arguments: ["[]", #"["thumbs"]"#])
  func wrongPrograms(_ programs: String) {
    let (policy, problems) = MachinePolicy.parse(
      "[[restrict]]\ncapability = \"photos\"\nprograms = \(programs)\n", file: "policy.toml")
    let backup = Subject(label: "backup", path: "/usr/bin/backup")
    #expect(policy.restricted(for: backup, photos) == Set(photos.atoms))
    let consequence = "until this is corrected, the entry holds for all programs"
    #expect(problems.first?.message.hasSuffix(consequence) == true)
  }

  @Test("A misspelt capability is reported; one that only others have defined is not")
  func wrongCapability() {
    let (_, problems) = MachinePolicy.parse(
      "[[restrict]]\ncapability = \"camrea\"\n[[restrict]]\ncapability = \"deploy\"\n", file: "policy.toml")
    #expect(problems.map(\.place) == [.key("restrict[0].capability")])
    #expect(problems.first?.message.contains("did you mean \"camera\"?") == true)
  }

  @Test("A wrong entry is reported and the rest counts")
  func problems() {
    let (policy, problems) = MachinePolicy.parse(
      """
      [[restrict]]
      parts = ["read"]
      [[restrict]]
      capability = "camera"
      programs = ["thumbs"]
      """, file: "policy.toml")
    #expect(policy.restrictions.map(\.capability) == ["camera"])
    #expect(
      problems.map(\.description) == [
        "policy.toml: restrict[0].capability: is missing: name the capability",
        "policy.toml: restrict[1].programs: \"thumbs\" must be the path of a file, from /; "
          + "until this is corrected, the entry holds for all programs",
      ])
  }

  @Test(
    "Something else in the file's place is a mistake, and not waited for",
    arguments: ["pipe", "link", "folder"])
  func noFile(kind: String) throws {
    let machine = try TestMachine()
    let file = machine.environment.policyFile
    machine.write("", to: file)
    unlink(file)
    switch kind {
    case "pipe": #expect(mkfifo(file, 0o644) == 0)
    case "link": #expect(symlink("/nowhere/at/all", file) == 0)
    default: #expect(mkdir(file, 0o755) == 0)
    }
    let (policy, problems) = MachinePolicy.read(machine.environment, owner: getuid())
    #expect(policy == .none)
    #expect(problems.map(\.message).first?.hasSuffix("so nothing is forbidden") == true)
  }

  @Test("A file that others could have written is ignored, and the reason says why")
  func ownership() throws {
    let machine = try TestMachine()
    let file = machine.environment.policyFile
    let me = getuid()
    #expect(MachinePolicy.read(machine.environment, owner: me).problems.isEmpty)
    machine.write("[[restrict]]\ncapability = \"camera\"\n", to: file)
    let trusted = MachinePolicy.read(machine.environment, owner: me)
    #expect(trusted.problems.isEmpty)
    #expect(trusted.policy.restrictions.count == 1)
    let foreign = MachinePolicy.read(machine.environment, owner: me + 1)
    #expect(foreign.policy == .none)
    #expect(foreign.problems.first?.message.contains("belongs to user \(me), not \(me + 1)") == true)
    chmod(file, 0o666)
    let open = MachinePolicy.read(machine.environment, owner: me)
    #expect(open.policy == .none)
    #expect(
      open.problems.first?.message == "is ignored: \(file) can be written by others; chmod go-w \(file)")
    chmod(file, 0o644)
    let folder = String(file.dropLast("/policy.toml".count))
    chmod(folder, 0o777)
    let openFolder = MachinePolicy.read(machine.environment, owner: me)
    #expect(openFolder.problems.first?.message.contains("\(folder) can be written by others") == true)
  }
}
