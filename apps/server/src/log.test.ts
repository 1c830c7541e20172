import { databaseNotPermitted, databaseReadOnly } from "@siteward/service";
import { expect, test } from "vitest";
import { createLog } from "./log.ts";

test("a log that processes share is written in pieces of complete lines, each small enough to be written without interruption", () => {
  const pieces: string[] = [];
  const log = createLog("info", (piece) => pieces.push(piece), { isShared: true });
  const texts = Array.from({ length: 100 }, (_, index) => `${index} ${"ü".repeat(index * 10)}`);
  for (const text of texts) log.logger.info(text);
  log.logger.info("x".repeat(10_000));
  log.logger.info("last");
  log.flush();
  const lines = pieces.flatMap((piece) => piece.trimEnd().split("\n"));
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([...texts, "x".repeat(10_000), "last"]);
  expect(pieces.every((piece) => piece.endsWith("\n"))).toBe(true);
  const large = pieces.filter((piece) => Buffer.byteLength(piece) > 4096);
  expect(large).toEqual([expect.stringContaining("xxxxx")]);
  expect(large[0]?.split("\n")).toHaveLength(2);
  expect(pieces.length).toBeLessThan(100);
});

test("the log of a rejected row does not contain the row, which PostgreSQL repeats with the hash of its password", () => {
  const pieces: string[] = [];
  const log = createLog("info", (piece) => pieces.push(piece));
  const row = "Failing row contains (1, 7, example.com, 2, $argon2id$v=19$...).";
  const refused = Object.assign(new Error("violates check constraint"), { code: "23514", detail: row, where: row });
  log.logger.error({ err: refused }, "The service failed.");
  log.flush();
  expect(JSON.parse(pieces.join("")).err).toMatchObject({ message: "violates check constraint", code: "23514" });
  expect(pieces.join("")).not.toContain("argon2");
});

test.each([
  [
    databaseReadOnly,
    /^The database is read-only and accepts no changes\. .*\. \(this user may not write to \/data\.db\)$/,
  ],
  [databaseNotPermitted, /^The database denies this to the server\. .*\. \(this user may not write to \/data\.db\)$/],
])("the log says why a database refuses something without a stack: %o", (toError, message) => {
  const pieces: string[] = [];
  const log = createLog("info", (piece) => pieces.push(piece));
  log.logger.error({ err: toError(new Error("this user may not write to /data.db")) }, "It failed.");
  expect(JSON.parse(pieces.join("")).err).toEqual({ type: "AppError", message: expect.stringMatching(message) });
});
