import { expect, test } from "vitest";
import { decodeText } from "./decode-text.ts";

test("UTF-8 is decoded without its byte order mark", () => {
  expect(decodeText(Buffer.from("\ufeffbücher.example\r\n"))).toEqual({ ok: true, value: "bücher.example\r\n" });
});

test.each([
  ["UTF-16 with a mark", Buffer.from("\ufeffa.example", "utf16le"), "is UTF-16 or not a text file; save it as UTF-8"],
  ["UTF-16 without a mark", Buffer.from("a.example", "utf16le"), "is UTF-16 or not a text file; save it as UTF-8"],
  ["Windows-1252", Buffer.from("bücher.example", "latin1"), "is not UTF-8; save it as UTF-8"],
])("%s is refused", (_name, bytes, reason) => {
  expect(decodeText(bytes)).toEqual({ ok: false, reason });
});
