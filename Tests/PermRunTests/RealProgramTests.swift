import Foundation
import TerminalTesting
import Testing

@Suite("Real programs behind walls", .needsWalls, .timeLimit(.minutes(10)))
struct RealProgramTests {
  @Test("git: commit, stash, branch, merge, rebase, gc and fsck ask nothing")
  func git() async throws {
    let ground = try await Ground.withRepository()
    let run = try await ground.inside(
      shell: """
        set -e
        echo two >> file; git commit -qam second; echo three >> file; git stash -q; git stash pop -q
        git commit -qam third; git checkout -q -b other HEAD~1; echo x > x; git add x; git commit -qm fourth
        git rebase -q main; git checkout -q main; git merge -q other; git tag v1; git gc -q; git fsck --strict --no-dangling
        git log --oneline | wc -l; git status --short
        """)
    #expect(run.ending == .exited(0), "\(run.messages)")
    #expect(run.output == "4\n")
    #expect(!run.messages.contains("asks"))
    #expect(try await ground.outside("git", "fsck", "--strict").ending == .exited(0))
  }

  @Test("Python: a virtual environment, and shared memory between processes")
  func python() async throws {
    let ground = try await Ground()
    let code = """
      import mmap, os
      map = mmap.mmap(-1, 4096)
      if os.fork() == 0: map[0:5] = b"child"; os._exit(0)
      os.wait(); print(map[0:5])
      """
    let run = try await ground.inside(
      shell:
        "python3 -m venv --without-pip env && env/bin/python -c 'import sys; print(sys.prefix)' && python3 -c '\(code)'"
    )
    #expect(run.ending == .exited(0), "\(run.messages)")
    #expect(run.output == "\(ground.file("env"))\nb'child'\n")
  }

  @Test("pip installs a package into a virtual environment, which then works outside, too")
  func pip() async throws {
    let ground = try await Ground()
    _ = try await ground.outside("mkdir", "-p", "package/greeting")
    try ground.write("print('hello from', __name__)", to: "package/greeting/__init__.py")
    try ground.write(
      "from setuptools import setup; setup(name='greeting', version='1', packages=['greeting'])",
      to: "package/setup.py")
    let run = try await ground.inside(
      shell: """
        python3 -m venv env && env/bin/pip install -q --no-index --no-build-isolation --no-cache-dir ./package
        env/bin/python -c 'import greeting'
        """)
    #expect(run.output.hasSuffix("hello from greeting\n"), "\(run.messages)")
    #expect(!run.messages.contains("asks"), "\(run.messages)")
    #expect(
      try await ground.outside("env/bin/python", "-c", "import greeting").output == "hello from greeting\n")
  }

  @Test("A compiler builds a program with make -j, and the program runs", .needs("cc"))
  func compiler() async throws {
    let ground = try await Ground()
    let parts = Array(1...8)
    for part in parts { try ground.write("int part\(part)(void) { return \(part); }\n", to: "part\(part).c") }
    let calls = parts.map { "part\($0)()" }
    try ground.write(
      """
      #include <stdio.h>
      int \(calls.joined(separator: ", "));
      int main(void) { printf("%d\\n", \(calls.joined(separator: " + "))); }

      """, to: "main.c")
    let objects = parts.map { "part\($0).o" }.joined(separator: " ")
    try ground.write("all: main.o \(objects)\n\tcc -o all main.o \(objects)\n", to: "Makefile")
    let run = try await ground.inside(
      shell: "make -s -j4 && ./all && ar rc parts.a \(objects) && nm -g parts.a | wc -l")
    #expect(run.output.hasPrefix("36\n"), "\(run.messages)")
    #expect(try await ground.outside("./all").output == "36\n")
  }

  @Test("make -j builds, tar packs and unpacks, and node runs", .needs("node"))
  func tools() async throws {
    let ground = try await Ground()
    try ground.write(
      "all: \(Array(1...20).map { "o\($0)" }.joined(separator: " "))\no%:\n\tsleep 0.01; echo $@ > $@\n",
      to: "Makefile")
    let run = try await ground.inside(
      shell: """
        set -e
        make -s -j8; tar cf all.tar o*; mkdir out; tar xf all.tar -C out; ls out | wc -l; cat out/o20
        node -e 'const fs = require("fs"); fs.writeFileSync("n", "node"); console.log(fs.readFileSync("n", "utf8"))'
        """)
    #expect(run.ending == .exited(0), "\(run.messages)")
    #expect(run.output == "20\no20\nnode\n")
  }

  @Test("More names than descriptors are used one after the other, and again")
  func manyNames() async throws {
    let ground = try await Ground()
    _ = try await ground.outside("sh", "-c", "mkdir many; cd many; seq 3000 | xargs touch")
    let run = try await ground.inside(
      withLimit: 300,
      "sh", "-c",
      """
      cd many; ls -l | wc -l; for n in 1 2; do seq 3000 | while read n; do [ -e $n ] || echo $n is gone; done; done
      echo x | tee 1 17 2999 3000; cat 1 17 2999 3000; rm -r ../many; ls ..
      """)
    #expect(run.ending == .exited(0), "\(run.messages)")
    #expect(run.output == "3001\nx\nx\nx\nx\nx\n")
  }

  @Test("More open files than there may be are refused, and nothing else suffers")
  func manyOpenFiles() async throws {
    let ground = try await Ground()
    let code = """
      files = []
      try:
          for n in range(1000): files.append(open(f"f{n}", "w"))
      except OSError as error: print(error.errno in (23, 24), len(files) > 50)
      for file in files: file.close()
      open("last", "w").write("x")
      """
    let run = try await ground.inside(withLimit: 300, "python3", "-c", code)
    #expect(run.output == "True True\n", "\(run.messages)")
    #expect(try ground.text("last") == "x")
  }

  @Test(
    "A full disk is an error of the write, and what was there before stays", .enabled(if: getuid() == 0))
  func fullDisk() async throws {
    let ground = try await Ground()
    _ = try await ground.outside("mkdir", "disk")
    try await ground.mountSmallDisk("disk", size: "64k")
    let run = try await ground.inside(
      shell: """
        echo before > disk/file; dd if=/dev/zero of=disk/big bs=1k count=256 2>&1 | grep -c 'No space left'
        cat disk/file; rm disk/big; echo after >> disk/file
        """)
    #expect(run.output == "1\nbefore\n", "\(run.messages)")
    #expect(try ground.text("disk/file") == "before\nafter\n")
    try await ground.unmount("disk")
  }
}
