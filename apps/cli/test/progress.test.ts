import { afterEach, beforeEach, describe, expect, vi } from "vitest";
import type { Work } from "../src/progress/work.ts";
import { openCli, test } from "./support/cli-test.ts";
import { recordIo } from "./support/recorded-io.ts";
import { jsonOf } from "./support/run-cli.ts";
import { serveFake } from "./support/serve-fake.ts";

const eraseLine = "\r\u001b[K";

/** Starts progress on a terminal in a process of its own, as it were: what one work leaves behind, the next one sees. */
async function start(work: Work, { columns, env = {} }: { readonly columns?: number; readonly env?: object } = {}) {
  const { startProgress } = await import("../src/progress/start-progress.ts");
  const { writeText } = await import("../src/process/io.ts");
  await Promise.all([import("../src/progress/draw-progress.ts"), import("../src/progress/print-progress.ts")]);
  const { io, raw, written } = recordIo({ env: { ...env }, columns });
  return {
    progress: startProgress(io, work),
    begin: (next: Work) => startProgress(io, next),
    raw,
    io,
    written,
    writeText,
  };
}

describe("progress on a terminal", () => {
  beforeEach(() => {
    vi.resetModules();
    vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "clearTimeout", "clearInterval", "Date"] });
    vi.spyOn(performance, "now").mockImplementation(() => Date.now());
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
    vi.resetModules();
  });
  const listing = { label: "Importing", total: 1000 };

  test("is drawn after a second, shows what is done, what is left and what is being done, and erases itself", async () => {
    const { progress, raw, io, writeText } = await start(listing, { columns: 80 });
    await vi.advanceTimersByTimeAsync(900);
    expect(raw()).toBe("");
    await vi.advanceTimersByTimeAsync(300);
    expect(raw()).toContain("0/1,000");
    progress.advance(250);
    progress.describe("example.com");
    await vi.advanceTimersByTimeAsync(300);
    expect(raw()).toMatch(/Importing {2}.*█{6}.*░{18}.* {2}250\/1,000 {2}.*[\d.,]+\/s {2}\d+ s left {2}.*example\.com/);
    progress[Symbol.dispose]();
    await writeText(io.stdout, "done\n");
    expect(raw().endsWith(`${eraseLine}done\r\n`)).toBe(true);
    // Between two frames, the line is only overwritten.
    expect(raw().split(eraseLine)).toHaveLength(2);
  });

  test("is a spinner if the total is unknown, and shows no step of the work next to it", async () => {
    const { begin, raw } = await start({ label: "Waiting for the service" }, { columns: 80 });
    begin({ label: "A step of it" });
    await vi.advanceTimersByTimeAsync(1_500);
    expect(raw()).toMatch(/⠹.* Waiting for the service/);
    expect(raw()).not.toContain("A step of it");
  });

  test("never shares a line with a result, and comes back after it", async () => {
    const { progress, raw, io, writeText } = await start(listing, { columns: 80 });
    await vi.advanceTimersByTimeAsync(1_200);
    await writeText(io.stdout, "a result\n");
    expect(raw().endsWith(`${eraseLine}a result\r\n`)).toBe(true);
    progress.advance(250);
    await vi.advanceTimersByTimeAsync(200);
    expect(raw().slice(raw().indexOf("a result"))).toContain("250/1,000");
  });

  test("is there at once for work that follows other work, and never erased to be drawn again", async () => {
    const { progress, begin, raw } = await start(listing, { columns: 80 });
    await vi.advanceTimersByTimeAsync(1_200);
    progress[Symbol.dispose]();
    await vi.advanceTimersByTimeAsync(500);
    begin({ label: "Work after it" });
    await vi.advanceTimersByTimeAsync(200);
    expect(raw()).toContain("Work after it");
    expect(raw().split(eraseLine)).toHaveLength(2);
  });

  test.for([
    ["if the work ends within a second", {}],
    ["in CI", { CI: "true" }],
    ["on a dumb terminal", { TERM: "dumb" }],
  ] as const)("shows nothing %s", async ([when, env]) => {
    const { progress, raw } = await start(listing, { columns: 80, env });
    await vi.advanceTimersByTimeAsync(when.startsWith("if") ? 900 : 2_000);
    progress[Symbol.dispose]();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(raw()).toBe("");
  });

  test("that cannot be drawn is a line after ten seconds and after ten more, then less often", async () => {
    const { progress, written } = await start(listing);
    progress.advance(250);
    const linesAfter = async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms);
      return written().stderr.split("\n").slice(0, -1);
    };
    expect(await linesAfter(9_900)).toEqual([]);
    expect(await linesAfter(200)).toEqual([expect.stringMatching(/^Importing: 250\/1,000, .+ left$/)]);
    expect(await linesAfter(9_500)).toHaveLength(1);
    expect(await linesAfter(500)).toHaveLength(2);
    expect(await linesAfter(19_000)).toHaveLength(2);
    expect(await linesAfter(1_000)).toHaveLength(3);
  });

  test("that cannot be drawn is JSON if errors are, and says what it waits for", async () => {
    const { progress, written, io } = await start(listing);
    io.facts.areMessagesJson = () => true;
    const { noteRefusal, noteRequestLimit } = await import("../src/progress/request-limit.ts");
    noteRequestLimit({ limit: 700, remaining: 0 });
    noteRefusal();
    progress.advance(250);
    await vi.advanceTimersByTimeAsync(10_100);
    const reason = "Waiting for the limit of the API key, 700 requests a minute";
    const waiting = { message: "Importing", done: 250, total: 1000, seconds_left: 65, reason };
    expect(JSON.parse(written().stderr)).toEqual({ progress: waiting });
  });
});

test("an import says why it waits for the limit, how long, and once who can raise it", async ({ folder }) => {
  await using served = await serveFake({ rateLimit: 60 });
  const cli = openCli(served);
  const { prefix } = jsonOf(await cli.run("account --fields api_key")).api_key;
  const path = await folder.write(
    "domains.txt",
    Array.from({ length: 62 }, (_, at) => `site-${at}.example\n`).join(""),
  );
  const { exitCode, raw, text } = await cli.open(`import ${path}`, { columns: 120 }).finish();
  expect(text).toContain("62 websites: 62 created.");
  expect(exitCode).toBe(0);
  expect(raw).toMatch(/\/62 .* \d+ s left .*(Limit of the API key: 60\/min|requests a minute)/);
  const words = text.replaceAll("\n", " ");
  expect(words.split("The limit of the API key is 60 requests a minute")).toHaveLength(2);
  expect(words).toContain(`\`siteward-server keys update ${prefix} --rate-limit NUMBER\``);
});
