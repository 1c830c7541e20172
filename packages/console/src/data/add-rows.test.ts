import { expect, test } from "vitest";
import { readRows } from "./add-rows.ts";

test.for([
  ["A.example\n\n b.example ,c.example;", ["1 a.example new", "3 b.example new", "3 c.example new"]],
  ["https://bücher.example/de?x=1", ["1 xn--bcher-kva.example new"]],
  ["a.example\tClient 3\ntaken.example", ["1 a.example new", "1  invalid", "2 taken.example exists"]],
  ["a.example\r\nA.EXAMPLE.", ["1 a.example new", "2 a.example twice"]],
  ["foo bar\n192.0.2.1\nhttp://\n*.a.example", ["1  invalid", "2  invalid", "3  invalid", "4  invalid"]],
] as const)("%j is read line by line", ([text, expected]) => {
  expect(
    readRows(text, (domain) => domain === "taken.example").map(
      ({ line, domain, state }) => `${line} ${domain} ${state}`,
    ),
  ).toEqual(expected);
});
