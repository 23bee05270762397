import Testing

@testable import PermModel

@Suite("Lines that are read strictly")
struct CertainLineTests {
  @Test(
    "Quotation marks in which nothing is replaced belong to certain words",
    arguments: [
      ("ls -la \"src\"", ["ls", "-la", "src"]),
      ("git commit -m 'Fix it; then b'", ["git", "commit", "-m", "Fix it; then b"]),
      ("a 'b'\"c\"d", ["a", "bcd"]), ("a ''", ["a", ""]), ("a \"it's\"", ["a", "it's"]),
      ("a '$x `y` \\ !'", ["a", "$x `y` \\ !"]),
      ("a 'one\ntwo'", ["a", "one\ntwo"]), ("a\t b", ["a", "b"]), ("a 'é'", ["a", "é"]),
      ("a x~y", ["a", "x~y"]), ("a \"b\\.c\\|d\"", ["a", "b\\.c\\|d"]), ("a \"✓ b\"", ["a", "✓ b"]),
      ("a \\( b -o c \\)", ["a", "(", "b", "-o", "c", ")"]),
    ])
  func words(line: String, words: [String]) {
    #expect(CertainLine(line)?.commands.map(\.literals) == [words])
  }

  @Test(
    "A word that a shell could replace is not known",
    arguments: ["a *", "a b?", "a [b]", "a ~", "a ~/b", "a b=~/c", "a b:~", "a é", "a\u{a0}b"])
  func unknownWords(line: String) {
    #expect(CertainLine(line)?.commands.map(\.literals) == [nil])
  }

  @Test(
    "A line that shells could read in different ways is not certain",
    arguments: [
      "", " ", "a;", "a &&", "; a", "a & b", "a |& b", "a ;; b", "a &", "a\nb", "a\r", "a \"$x\"",
      "a \"`b`\"", "a \"b\\\"",
      "a \"b!\"", "a \"b\\$c\"", "a \"b\\`c\"", "a \"b\\\\c\"", "a \"b\\\nc\"", "a \"b\\!\"", "a \\(b",
      "a \\(;b\\)c",
      "a x\\(", "a \\;", "a \\", "a $(b)", "a `b`", "a ${b}", "a\\ b", "a 'b", "a \"b", "(a)", "{ a; }",
      "a {b,c}", "a # b",
      "! a", "a!",
      "a <<E", "a <<<b", "a <(b)", "a\u{0}b", "a 'b\rc'", "a '\u{7f}'", "a &\u{301} b",
    ])
  func uncertain(line: String) { #expect(CertainLine(line) == nil) }

  @Test(
    "Four redirections change nothing about a command",
    arguments: [
      "a 2>&1", "a >/dev/null", "a > /dev/null", "a 2>/dev/null", "a 2> /dev/null", "a </dev/null",
      "a < /dev/null",
      "a >/dev/null 2>&1", "a\t2>&1 ",
    ])
  func quiet(line: String) {
    #expect(CertainLine(line)?.commands.map(\.text) == ["a"])
    #expect(ShellLine(line).parts == ["a"])
    #expect(ShellLine("\(line)&& b").parts == ["a", "b"])
  }

  @Test("The words around such a redirection stay as they are")
  func aroundQuiet() {
    #expect(CertainLine("a  2>&1  'b  c'").map { $0.commands.map(\.text) } == ["a  'b  c'"])
    #expect(CertainLine("a 2>&1 2").map { $0.commands.map(\.literals) } == [["a", "2"]])
  }

  @Test(
    "Every other redirection is uncertain",
    arguments: [
      "a 2>&1x", "a 2>&12", "a >&b", "a &>/dev/null", "a >/dev/nullx", "a >/dev/null/x", "a >  /dev/null",
      "a >>/dev/null",
      "a >|/dev/null", "a>/dev/null", "a2>&1", "a 12>/dev/null", "a >/dev/../dev/null", "a 2>&1&", "a 2>&1>b",
      "a >b", "a <b",
      ">/dev/null a", "2>&1", "a 2 >&1", "a 2>& 1", "a 2>&-", "a >'/dev/null'", "a 1>/dev/null",
      "a;>/dev/null b",
    ])
  func loud(line: String) { #expect(CertainLine(line) == nil) }

  @Test(
    "A line is taken apart where it joins commands with certainty",
    arguments: [
      ("git add -A && git commit -m \"a; b\"", ["git add -A", "git commit -m \"a; b\""]),
      ("make | tail -20", ["make", "tail -20"]), ("a || b; c", ["a", "b", "c"]), ("ls", ["ls"]),
      ("echo 'a && b'", ["echo 'a && b'"]), ("npm test 2>&1 | tail -n 40", ["npm test", "tail -n 40"]),
      // A space that is no blank for a shell belongs to the word: this is another program than `a`.
      ("a\u{a0} && b", ["a\u{a0}", "b"]), ("\t a \t;b ", ["a", "b"]), ("a | wc", ["a", "wc"]),
      ("a '\"' && b", ["a '\"'", "b"]), ("a && 'b;' ; c", ["a", "'b;'", "c"]),
      ("ls *.swift; ls ~", ["ls *.swift", "ls ~"]),
      // Signs are read as a shell reads them, whatever stands upon them.
      ("a ;\u{301} b", ["a", "\u{301} b"]),
    ])
  func parts(line: String, parts: [String]) { #expect(ShellLine(line).parts == parts) }

  @Test("A line of more than 32 commands is not taken apart")
  func manyCommands() {
    let line = { ShellLine(Array(repeating: "a", count: $0).joined(separator: "; ")) }
    #expect(line(32).parts.count == 32)
    #expect(line(33).parts == [line(33).text])
  }

  @Test(
    "A line is left whole where its parts could mean something else",
    arguments: [
      "a | timeout 9 sh", "a | sum", "a | /tmp/cat",
      "cd x && ls", "ls && cd x", "pushd x; ls", "export A=b; ls", "A=b; ls", "alias ls=rm; ls", "eval a; b",
      "source x; b", ". x; b", "exec a; b", "f() { a; }; f", "(a; b)", "{ a; b; }", "a & b", "a |& b",
      "a; b &", "a &&",
      "a && $(b)", "a; `b`", "a; b > F", "a < F; b", "a; b <<E", "a\nb; c", "a; \"b", "a; 'b", "a; b\\",
      "a; # b",
      "if a; then b; fi", "while a; do b; done", "function f; a", "set -e; a", "trap x EXIT; a", "a ;; b",
      "! a; b",
      "command cd x; a", "time a; b", "printf -v PATH x; ls", "[c]d x && ls", "c?d x; ls", "A=\u{301}x; ls",
      "PATH+=x; ls", "hash -p X ls; ls", "bind -x X; ls", "\"cd\" x; ls", "- cd x; ls", "noglob cd x; ls",
      "a | sh", "a | /bin/bash -s", "a | xargs rm", "a | python3.12 -", "a | sudo tee F", "a | \"sh\"",
      "a \"!b\" && c", "a &\u{301} b; c", "a '\u{301} ; b", "a;\u{b} b", "a; b\u{7f}", "a;;b", "a; ; b",
      "; a", "\"export\" A=b && ls", "ls && 'exec' a", "=ls; a",
    ])
  func whole(line: String) { #expect(ShellLine(line).parts == [line]) }

  @Test(
    "Behind a pipe, only a command that reads its input is certain",
    arguments: [
      "cat", "cat -n", "head -5", "head -n 20", "head -n20", "tail -40", "tail -n +5", "tail -c 10",
      "grep -i x",
      "grep -rn x", "grep -A3 -e", "wc -l", "sort -rn", "sort -k 2 -t ,", "sort -k2,3", "uniq -c",
      "cut -d: -f1", "cut -d ' ' -f 2",
      "tr a b", "tr -d x", "jq .", "jq -r '.a | .b'", "column -t", "nl", "rev", "grep -v 'a b'",
      "grep -c -m 5 x",
    ])
  func readers(command: String) {
    let isReader = !command.hasPrefix("grep -rn") && command != "grep -A3 -e"
    #expect(ShellLine("a | \(command)").parts == (isReader ? ["a", command] : ["a | \(command)"]))
  }

  @Test(
    "Behind a pipe, a program that could open a file, write or run something is not",
    arguments: [
      "cat F", "cat -", "head F", "head -n", "head -n x", "head -n 5 F", "tail -f", "tail -F x",
      "grep -r secret", "grep x F",
      "grep -f F", "grep -f F x", "grep -R x", "grep --include=x y", "grep", "wc F", "wc --files0-from=F",
      "sort -o F", "sort -oF",
      "sort --compress-program=x", "sort -T /tmp", "sort F", "uniq a b", "uniq F", "cut -f1 F", "tr a b c",
      "jq -n 'input'",
      "jq 'import \"a\" as $a; .'", "jq '$ENV'", "jq env", "jq . F", "jq --rawfile a F .",
      "jq 'include \"a\"; .'",
      "jq 'get_search_list'", "jq '\"\\($__prog)\"'", "column F", "nl F", "rev F", "tail -n 5 *", "head -n ~",
      "grep $x",
      "tee F", "xargs rm", "less", "awk 1", "sed p", "cat -v", "sort -", "jq -f F",
    ])
  func otherReaders(command: String) { #expect(ShellLine("a | \(command)").parts == ["a | \(command)"]) }

  @Test(
    "A program's name becomes a line of one word",
    arguments: [
      ("ls", "ls"), ("/usr/bin/git", "/usr/bin/git"), ("a b", "'a b'"), ("~x", "'~x'"), ("a=b", "'a=b'"),
      ("*", "'*'"), ("", "''"),
      ("it's", "'it'\\''s'"), ("a;b", "'a;b'"), ("2>&1", "'2>&1'"), ("#", "'#'"),
    ])
  func oneWord(name: String, line: String) { #expect(ShellLine(word: name).text == line) }
}
