import { toCanonicalDomain } from "@siteward/sdk";
import { describe, expect, test } from "vitest";
import { domainText } from "./domain-text.ts";

describe("a domain as people read it", () => {
  test.each([
    "example.com",
    "bücher.example",
    "smörgås-2.example",
    "ěščřžýáíé.cz",
    "tiếng-việt.vn",
    "ёж.рф",
    "сор.рф",
    "пример.com",
    "παράδειγμα.ελ",
    "例え.テスト",
    "コーヒー.jp",
    "한국.kr",
    "中国.cn",
    "إختبار.com",
    "उदाहरण.परीक्षा",
    "ไทย.com",
    "דוגמה.example",
  ])("%s is shown as it is written", (domain) => {
    expect(domainText(toCanonicalDomain(domain))).toBe(domain);
  });

  test.each([
    ["a Cyrillic letter among Latin ones", "аpple.com"],
    ["only Cyrillic letters that look Latin", "аррӏе.com"],
    ["only Greek letters that look Latin", "νιο.com"],
    ["a lookalike as the last label", "example.сор"],
    ["a Latin letter of phonetics", "ɡoogle.com"],
    ["letters of two scripts", "παράпример.com"],
    ["a Japanese letter that looks like a slash, among Latin ones", "example.comノlogin.jp"],
    ["a script that is no longer in everyday use", "ᎪᏴ.com"],
    ["an emoji", "i❤.ws"],
    ["an invisible character", "بی‌بی.com"],
  ])("%s stays in ASCII", (_what, domain) => {
    const ascii = toCanonicalDomain(domain);
    expect(domainText(ascii)).toContain("xn--");
    expect(toCanonicalDomain(domainText(ascii))).toBe(ascii);
  });

  test("only the label that could be mistaken stays in ASCII", () => {
    expect(domainText("xn--pple-43d.xn--bcher-kva.example")).toBe("xn--pple-43d.bücher.example");
  });
});
