import { databaseReadOnly } from "@siteward/service";
import { describe, expect, it, test, vi } from "vitest";
import { createLog, openServerLog } from "./log.ts";

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

test("lines are dropped while the reader of the log leaves 4 MiB unread", () => {
  const unread = vi.spyOn(process.stderr, "writableLength", "get");
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(false);
  const log = openServerLog({ logLevel: "info", workers: 1 });
  for (const length of [4 * 1024 * 1024 - 1, 4 * 1024 * 1024, 0]) {
    unread.mockReturnValue(length);
    log.logger.error(`${length} unread`);
  }
  const written = write.mock.calls.map(([text]) => JSON.parse(String(text)).msg);
  vi.restoreAllMocks();
  expect(written).toEqual(["4194303 unread", "0 unread"]);
});

test("the log of a rejected row does not contain the row, which PostgreSQL repeats with the hash of its password", () => {
  const row = "Failing row contains (1, 7, example.com, 2, $argon2id$v=19$...).";
  const refused = Object.assign(new Error("violates check constraint"), { code: "23514", detail: row, where: row });
  const line = render(({ logger }) => logger.error({ err: refused }, "The service failed."), false);
  expect(JSON.parse(line).err).toMatchObject({ message: "violates check constraint", code: "23514" });
  expect(line).not.toContain("argon2");
});

test("the log says why a database refuses something without a stack", () => {
  const err = databaseReadOnly(new Error("this user may not write to /data.db"));
  const line = render(({ logger }) => logger.error({ err }, "It failed."), false);
  const message = /^The database is read-only and accepts no changes\. .*\. \(this user may not write to \/data\.db\)$/;
  expect(JSON.parse(line).err).toEqual({ type: "AppError", message: expect.stringMatching(message) });
});

const request = {
  ...{ request_id: "r1", method: "GET", path: "/api/v1/websites", remote: "192.0.2.1", status: 200 },
  ...{ account_id: undefined, api_key: undefined, reason: undefined, is_complete: true, duration_ms: 1.8 },
};

describe("a log for people", () => {
  it("says why bytes that are no request were refused, and has the stack of an error on lines of their own", () => {
    const refused = render(({ logger }) => logger.info({ code: "HPE_INVALID_URL", status: 400 }, "It is not valid."));
    expect(refused).toMatch(/INFO {2}It is not valid\. code=HPE_INVALID_URL status=400\n$/);
    const failed = render(({ logger }) => logger.error({ err: new TypeError("of our own") }, "The service failed."));
    expect(failed).toMatch(/^[\d:.]{12} ERROR The service failed\.\n {4}TypeError: of our own\n {8}at .*\n/);
  });

  it("contains no character that controls a terminal, whatever a client sends", () => {
    const path = "/a\u001b[2J\u0007\u009b31m\u202e\u2028\rb\n";
    const lines = render((log) => log.answered({ ...request, path, request_id: "r\u001bc" }));
    expect(lines).toContain("/a\\u001b[2J\\u0007\\u009b31m\\u202e\\u2028\\u000db\\u000a 200");
    expect(lines.trimEnd()).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028]/u);
  });
});

function render(write: (log: ReturnType<typeof createLog>) => void, isText = true): string {
  let text = "";
  const keep = (piece: string) => {
    text += piece;
  };
  const log = createLog("info", keep, { isText });
  write(log);
  log.flush();
  return text;
}
