import { expect, test } from "vitest";
import { safeText } from "./safe-text.ts";

test.each([
  ["colours", "\u001b[31mred\u001b[0m", "red"],
  ["a window title", "a\u001b]0;title\u0007b", "ab"],
  ["an eight-bit escape", "a\u009b2Jb", "ab"],
  ["a lone escape", "a\u001b", "a"],
  ["line breaks and tabs", "a\r\nb\tc", "a b c"],
  ["bell, backspace, delete", "a\u0007\u0008\u007fb", "ab"],
  ["marks that change the writing direction", "a\u202eb\u2066c", "abc"],
  ["invisible characters", "a\u200bb\ufeff", "ab"],
])("removes %s", (_name, text, safe) => {
  expect(safeText(text)).toBe(safe);
});

test("keeps ordinary text", () => {
  expect(safeText("例え – Müller & Söhne (100 %) 🙂")).toBe("例え – Müller & Söhne (100 %) 🙂");
});
