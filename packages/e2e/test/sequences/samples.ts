/**
 * What requests contain. The contract says which of it a field accepts, so a new field needs no samples of its own: all but secrets
 * are accepted or refused by the field's own schema. The first ones that it accepts are sent most often.
 */
export const samples: readonly string[] = [
  // Few domains, so that many requests name one that exists.
  ...["a.example", "b.example", "shop.example.com", "blog.example.com", "x-y.co.uk", "xn--bcher-kva.example"],
  ...["A.Example", "b.example.", " shop.example.com\t", "Bücher.example", "bu\u0308cher.example", "faß.example"],
  ...["ｂｌｏｇ.example.com", "例え.テスト", `${"a".repeat(63)}.example`, `${"b23456789.".repeat(25)}abc`],
  ...["", " ", "localhost", "a_b.com", "http://x.com", "//x.com", "x.com/path", "x.com?q", "x.com:80", "u@x.com"],
  ...["*.x.com", "1.2.3.4", "0x7f.1", "[::1]", "::1", "a..com", ".com", "-a.com", "a-.com", "x.123", "a b.com"],
  ...[`${"a".repeat(64)}.com`, `${"b23456789.".repeat(25)}abcd`, "x\u0000.com", "x.com\n.org", "\ud800.com"],
  ...["xn--a.com", "a\u2028b.com", "x".repeat(5_000)],
  // Parameters.
  ...["utm_*", "gclid", "Gclid", "fbclid", "q", "p[]", "ü", "%20", "_ga"],
  ...["*", "a*b", "a=b", "a&b", "a b", "a#", "x".repeat(128), "x".repeat(129), "?q"],
  // Addresses.
  ...["203.0.113.7", "203.0.113.9/24", "203.0.113.*", "10.*.*.*", "198.51.100.4/32", "2001:DB8:0:0:0:0:0:1"],
  ...["2001:db8::1/32", "::ffff:192.0.2.1", "::1/128", "0.0.0.0/0", "203.0.113.0/24"],
  ...["1.2.3", "1.2.3.256", "01.2.3.4", "1.2.3.4/33", "::1%eth0", "::g", "1.2.3.4/", "1.*.3.4"],
];

/** Texts around the limits of a password. To hash one takes 20 to 50 ms of a core, so few are accepted. */
export const secrets: readonly string[] = [
  ...["correct horse", "12345678", "🔑".repeat(256), "\u0000 control \u0007"],
  ...["", "1234567", `${"🔑".repeat(256)}x`],
];

/** Values that hardly any field expects. */
export const oddValues: readonly unknown[] = [
  ...[null, true, 7, -1, 0.5, 1e300, "", " 1", "01", "1.0", "true", "9".repeat(30), [], [1], [0, 1], ["a", "b"], {}],
  ...[[null], [["q"]], "\n,,\r\n", ", ,", [12345678]],
];
