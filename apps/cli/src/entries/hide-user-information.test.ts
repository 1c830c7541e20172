import { expect, test } from "vitest";
import { hideUserInformation } from "./hide-user-information.ts";

test.each([
  ["https://user:secret@shop.example/", "https://[redacted]@shop.example/"],
  ["https://token@shop.example/", "https://[redacted]@shop.example/"],
  ["https://user:a/b@c@shop.example/", "https://[redacted]@shop.example/"],
  ["user:secret@shop.example", "[redacted]@shop.example"],
  ["info@shop.example", "info@shop.example"],
  ["https://shop.example/", "https://shop.example/"],
])("%s is shown as %s", (text, shown) => {
  expect(hideUserInformation(text)).toBe(shown);
});
