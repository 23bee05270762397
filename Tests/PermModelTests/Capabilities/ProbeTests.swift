import PermModel
import Testing

@Suite("Looking at the machine")
struct ProbeTests {
  let machine: TestMachine
  var environment: ProbeEnvironment { machine.environment }

  init() throws { machine = try TestMachine() }

  @Test("On a bare machine nothing is available, and every reason says what to do")
  func bareMachine() async {
    let found = await CapabilityCatalogue.builtIn.availabilities(in: environment)
    #expect(found.count == 18)
    // The capabilities that take values are available on every machine.
    let everywhere = ["files", "network", "commands", "environment", "keys", "tools", "system", "code"]
    for (name, availability) in found where !everywhere.contains(name) {
      #expect(availability.unavailability?.cause == .missing, "\(name)")
      #expect(availability.unavailability?.remedy.isEmpty == false, "\(name)")
    }
  }

  @Test("A calendar is a vdir, or one of Evolution's folders")
  func calendars() async {
    machine.write("BEGIN:VCALENDAR", to: "\(environment.dataHome)/calendars/home/1.ics")
    #expect(await availability(Capability.Calendar()) == .available(found: "1 calendar"))
    machine.write("BEGIN:VCALENDAR", to: "\(environment.dataHome)/evolution/tasks/system/tasks.ics")
    #expect(await availability(Capability.Calendar()) == .available(found: "2 calendars"))
  }

  @Test("Cloud accounts are rclone's remotes and GNOME's accounts with files")
  func cloud() async {
    machine.write(
      "# comment\n[nas]\ntype = sftp\n", to: "\(environment.configHome)/rclone/rclone.conf")
    machine.write(
      """
      [Account account_1]
      Provider=google
      PresentationIdentity=ana@example.org
      FilesEnabled=true
      [Account account_2]
      PresentationIdentity=mail@example.org
      FilesEnabled=false
      """, to: "\(environment.configHome)/goa-1.0/accounts.conf")
    #expect(await availability(Capability.Cloud()) == .available(found: "nas and ana@example.org"))
    let named = Capability.Cloud(.init([.read], container: "nas"))
    #expect(await availability(named) == .available(found: "account nas"))
    let other = Capability.Cloud(.init([.read], container: "box"))
    #expect(await availability(other).unavailability?.reason == "no cloud account is called box")
  }

  @Test("The health folder is the one that is set, and it must be there")
  func health() async {
    var environment = environment
    environment.healthFolder = "\(environment.home)/health"
    let health = Capability.Health(read: [.steps])
    #expect(
      await health.availability(in: environment).unavailability?.reason
        == "the health folder ~/health does not exist")
    machine.makeFolder("\(environment.home)/health")
    #expect(await health.availability(in: environment).isAvailable)
  }

  @Test("Location needs GeoClue's service, under whatever file name")
  func location() async {
    machine.write(
      "[D-BUS Service]\nName=org.freedesktop.GeoClue2\n", to: "\(environment.systemServices[0])/geo.service")
    #expect(await availability(Capability.Location()).isAvailable)
  }

  @Test("Notifications name the program that shows them")
  func notifications() async {
    machine.write(
      "[D-BUS Service]\nName=org.freedesktop.Notifications\nExec=/usr/bin/mako\n",
      to: "\(environment.sessionServices[1])/fr.emersion.mako.service")
    #expect(
      await availability(Capability.Notifications()) == .available(found: "fr.emersion.mako"))
  }

  @Test("Cameras and microphones are told apart from other devices")
  func devices() async {
    machine.write(to: "\(environment.devices)/videotape")
    machine.write(to: "\(environment.devices)/snd/pcmC0D0p")
    #expect(await availability(Capability.Camera()).isAvailable == false)
    #expect(await availability(Capability.Microphone()).isAvailable == false)
    machine.write(to: "\(environment.devices)/video0")
    machine.write("Integrated Webcam\n", to: "\(environment.system)/class/video4linux/video0/name")
    machine.write(to: "\(environment.devices)/snd/pcmC0D0c")
    machine.write("PCH\n", to: "\(environment.processes)/asound/card0/id")
    #expect(await availability(Capability.Camera()) == .available(found: "Integrated Webcam"))
    #expect(await availability(Capability.Microphone()) == .available(found: "PCH"))
  }

  @Test("Photos, passes and address books are folders")
  func folders() async {
    machine.makeFolder(environment.pictures)
    machine.makeFolder(environment.passFolder)
    machine.write("BEGIN:VCARD\n", to: "\(environment.contactFolders[0])/friends/1.vcf")
    #expect(await availability(Capability.Photos()).isAvailable)
    #expect(await availability(Capability.Passbook()).isAvailable)
    #expect(await availability(Capability.Contacts()) == .available(found: "1 address book"))
  }

  @Test("An alert for photos counts the pictures and nothing else")
  func photoCount() async {
    machine.write(to: "\(environment.pictures)/a.JPG")
    machine.write(to: "\(environment.pictures)/2026/b.png")
    machine.write(to: "\(environment.pictures)/notes.txt")
    machine.write(to: "\(environment.pictures)/.cache/c.png")
    let text = await Capability.Photos().explanation(for: [Atom("photos", "read")], in: environment)
    #expect(text == "All 2 files in ~/Pictures.")
  }

  @Test("The pictures folder is the one that the desktop names")
  func userFolders() {
    machine.write(
      "XDG_PICTURES_DIR=\"$HOME/Bilder\"\n", to: "\(environment.configHome)/user-dirs.dirs")
    let home = environment.home
    let read = ProbeEnvironment(root: machine.root) { $0 == "HOME" ? home : nil }
    #expect(read.pictures == "\(home)/Bilder")
    machine.write("XDG_PICTURES_DIR=\"$HOME/\"\n", to: "\(environment.configHome)/user-dirs.dirs")
    #expect(ProbeEnvironment(root: machine.root) { $0 == "HOME" ? home : nil }.pictures == "\(home)/Pictures")
  }

  @Test("A relative XDG folder is ignored, as its specification wants")
  func relativeFolders() {
    let variables = ["HOME": "/home/ana", "XDG_CONFIG_HOME": "config", "XDG_DATA_HOME": "/data"]
    let read = ProbeEnvironment(root: machine.root) { variables[$0] }
    #expect(read.configHome == "/home/ana/.config")
    #expect(read.passFolder == "/data/passes")
  }

  @Test(
    "A file that appears or goes away is noticed, also below folders that did not exist",
    .timeLimit(.minutes(5)))
  func noticesChanges() async {
    var updates = CapabilityCatalogue.builtIn.availabilityUpdates(in: environment).makeAsyncIterator()
    var found = await updates.next()
    #expect(found?["photos"]?.isAvailable == false)
    machine.makeFolder(environment.pictures)
    while found?["photos"]?.isAvailable == false { found = await updates.next() }
    machine.write("BEGIN:VCARD\n", to: "\(environment.contactFolders[0])/friends/1.vcf")
    while found?["contacts"]?.isAvailable == false { found = await updates.next() }
    machine.write(to: "\(environment.devices)/video0")
    while found?["camera"]?.isAvailable == false { found = await updates.next() }
    machine.remove(environment.pictures)
    while found?["photos"]?.isAvailable == true { found = await updates.next() }
    #expect(found?["camera"]?.isAvailable == true)
  }

  private func availability(_ capability: some CapabilityType) async -> Availability {
    await capability.availability(in: environment)
  }
}
