import Testing

@testable import PermModel

@Suite("Lines that mean the same in every folder")
struct PlacelessLineTests {
  @Test(
    "Each program is a name, and no word is a relative path",
    arguments: [
      ("wc -l /etc/passwd", ["wc"]), ("du -sh /srv/a /srv/b", ["du"]), ("sha256sum /srv/a", ["sha256sum"]),
      ("make -C /srv/app", ["make"]), ("cmp --bytes=/srv/a /srv/b", ["cmp"]), ("cat '/srv/a b'", ["cat"]),
      ("cat /srv/a && ls -la /srv 2>/dev/null", ["cat", "ls"]),
    ])
  func placeless(_ line: String, _ programs: [String]) {
    #expect(PlacelessLine(line)?.programs == programs)
  }

  @Test(
    "A line that could be about the folder in which it runs is not one",
    arguments: [
      "ls", "make", "npm test", "./build.sh", "/srv/build.sh /srv", "git fetch origin",
      "git -C /srv/app fetch",
      "cat a", "cat /srv/../etc/passwd", "make -fevil.mk /srv", "make --file=evil.mk /srv", "rm -rf build",
      "cat /srv/a > out", "cat /srv/a; ls", "cat ~/a", "cat $HOME/a", "A=b cat /srv/a", "cat /srv/a | head",
      "cd /srv && ls /srv", "cat '' /srv", "", "-x /srv",
    ])
  func placed(_ line: String) {
    #expect(PlacelessLine(line) == nil)
  }
}
