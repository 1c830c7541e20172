import { expect, test } from "vitest";
import { readRows } from "./add-rows.ts";

test.for([
  [
    "A.example\n\n b.example ,c.example;",
    ["1 a.example Will be added", "3 b.example Will be added", "3 c.example Will be added"],
  ],
  ["https://bücher.example/de?x=1", ["1 xn--bcher-kva.example Will be added"]],
  [
    "a.example\tClient 3\ntaken.example",
    ["1 a.example Will be added", "1  Not a domain", "2 taken.example Exists already"],
  ],
  ["a.example\r\nA.EXAMPLE.", ["1 a.example Will be added", "2 a.example Twice in the list"]],
  [
    "foo bar\n192.0.2.1\nhttp://\n*.a.example",
    ["1  Not a domain", "2  Not a domain", "3  Not a domain", "4  Not a domain"],
  ],
] as const)("%j is read line by line", ([text, expected]) => {
  expect(
    readRows(text, (domain) => domain === "taken.example").map(
      ({ line, domain, state }) => `${line} ${domain} ${state}`,
    ),
  ).toEqual(expected);
});
