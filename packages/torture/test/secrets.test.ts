import { expect, test } from "vitest";
import { judgeLines } from "../src/secrets/break-lines.ts";
import { createPlanted } from "../src/secrets/planted.ts";

test("a planted secret is found with the place it was sent in, also as a key and in lowercase", () => {
  const planted = createPlanted();
  const [text, key] = [planted.text("a password"), planted.key("a path")];
  planted.text("another");
  expect(planted.findIn(Buffer.from(`x${text.toLowerCase()}y`))).toEqual(["a password"]);
  expect(planted.findIn(Buffer.from(`{"path":"/${key}"}`))).toEqual(["a path"]);
  expect(planted.findIn(Buffer.from(key.slice(0, 12)))).toEqual([]);
});

test("a line of the log is JSON without control characters", () => {
  expect(judgeLines('{"msg":"a"}\n{"msg":"\\u001b"}\n')).toEqual([]);
  for (const line of ['{"msg":"\u009b"}', '{"msg":"\u2028"}', '{"msg":', "Error: x"]) {
    expect(judgeLines(`${line}\n`)).toHaveLength(1);
  }
});
