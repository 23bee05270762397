import Testing

@testable import PermModel

@Suite("Host names with letters outside ASCII")
struct PunycodeTests {
  /// Samples of RFC 3492, section 7.1.
  @Test(
    "are decoded as RFC 3492 says",
    arguments: [
      ("egbpdaj6bu4bxfgehfvwxn", "ليهمابتكلموشعربي؟"),
      ("ihqwcrb4cv8a8dqg056pqjye", "他们为什么不说中文"),
      ("Proprostnemluvesky-uyb24dma41a", "Pročprostěnemluvíčesky"),
      ("4dbcagdahymbxekheh6e0a7fei0b", "למההםפשוטלאמדבריםעברית"),
      ("n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa", "なぜみんな日本語を話してくれないのか"),
      ("b1abfaaepdrnnbgefbadotcwatmq2g4l", "почемужеонинеговорятпорусски"),
      ("PorqunopuedensimplementehablarenEspaol-fmd56a", "PorquénopuedensimplementehablarenEspañol"),
      ("TisaohkhngthchnitingVit-kjcr8268qyxafd2f1b9g", "TạisaohọkhôngthểchỉnóitiếngViệt"),
      ("3B-ww4c5e180e575a65lsy2b", "3年B組金八先生"),
      ("-with-SUPER-MONKEYS-pc58ag80a8qai00g7n9n", "安室奈美恵-with-SUPER-MONKEYS"),
      ("-> $1.00 <--", "-> $1.00 <-"),
      ("bcher-kva", "bücher"),
    ])
  func samples(code: String, text: String) { #expect(Punycode.decode(code) == text) }

  @Test(
    "are not decoded if they are malformed",
    arguments: ["a-!", "99999999", "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz", "ü-kva", "bcher-kv"])
  func malformed(code: String) { #expect(Punycode.decode(code) == nil) }

  @Test("stay without a second spelling if no label is encoded, or one is malformed")
  func hosts() throws {
    #expect(try Host("xn--bcher-kva.example").decoded == "bücher.example")
    #expect(try Host("buecher.example").decoded == nil)
    #expect(try Host("xn--99999999.example").decoded == nil)
  }
}
