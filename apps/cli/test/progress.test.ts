import { afterEach, beforeEach, describe, expect, vi } from "vitest";
import { startProgress, type Work } from "../src/output/progress.ts";
import { writeText } from "../src/process/io.ts";
import { openCli, test } from "./support/cli-test.ts";
import { recordIo } from "./support/recorded-io.ts";
import { serveFake } from "./support/serve-fake.ts";

const eraseLine = "\r\u001b[K";

/** Starts progress, on a terminal if it has columns. */
function start(work: Work, { columns, env = {} }: { readonly columns?: number; readonly env?: object } = {}) {
  const recorded = recordIo({ env: { ...env }, columns });
  return { ...recorded, progress: startProgress(recorded.io, work) };
}

describe("progress", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const importing = { label: "Importing", total: 1000 };

  test("is drawn after a second, shows what is done and how long the rest takes, and erases itself", async () => {
    const { progress, raw, io } = start(importing, { columns: 80 });
    vi.advanceTimersByTime(900);
    expect(raw()).toBe("");
    progress.advance(10);
    vi.advanceTimersByTime(200);
    expect(raw()).toContain("Importing 10/1,000, 2 min left\u001b[K\r");
    progress.advance(240);
    vi.advanceTimersByTime(200);
    expect(raw()).toContain("Importing 250/1,000, 4 s left");
    progress[Symbol.dispose]();
    await writeText(io.stdout, "done\n");
    expect(raw().endsWith(`${eraseLine}done\r\n`)).toBe(true);
    // Between two lines, nothing is erased.
    expect(raw().split(eraseLine)).toHaveLength(2);
  });

  test("counts work whose total is unknown, and shows no step of the work next to it", () => {
    const { progress, raw, io } = start({ label: "Exporting" }, { columns: 80 });
    const step = startProgress(io, { label: "A step of it" });
    step.advance(5);
    vi.advanceTimersByTime(1_000);
    expect(raw()).toContain("Exporting\u001b[K");
    progress.advance(1_200);
    step[Symbol.dispose]();
    vi.advanceTimersByTime(200);
    expect(raw()).toContain("Exporting 1,200\u001b[K");
    expect(raw()).not.toContain("A step of it");
    progress[Symbol.dispose]();
  });

  test("never shares a line with a result, comes back after it, and is narrower than the terminal", async () => {
    const { progress, raw, io } = start(importing, { columns: 12 });
    vi.advanceTimersByTime(1_000);
    await writeText(io.stdout, "a result\n");
    expect(raw().endsWith(`${eraseLine}a result\r\n`)).toBe(true);
    vi.advanceTimersByTime(200);
    expect(raw().slice(raw().indexOf("a result"))).toContain("Importing 0\u001b[K\r");
    progress[Symbol.dispose]();
  });

  test.for([
    ["in CI", { CI: "true" }],
    ["on a dumb terminal", { TERM: "dumb" }],
  ] as const)("shows nothing %s, nor once its work is over", ([_where, env]) => {
    const { progress, raw } = start(importing, { columns: 80, env });
    vi.advanceTimersByTime(20_000);
    progress[Symbol.dispose]();
    const ended = start(importing, { columns: 80 });
    ended.progress[Symbol.dispose]();
    vi.advanceTimersByTime(2_000);
    expect(raw() + ended.raw()).toBe("");
  });

  test("that cannot be drawn is a line every 30 seconds, in JSON if errors are", () => {
    const { progress, written, io } = start(importing);
    progress.advance(250);
    vi.advanceTimersByTime(29_000);
    expect(written().stderr).toBe("");
    vi.advanceTimersByTime(1_000);
    expect(written().stderr).toBe("Importing 250/1,000, 2 min left\n");
    io.facts.areMessagesJson = () => true;
    progress.advance(450);
    vi.advanceTimersByTime(30_000);
    const json = written().stderr.split("\n")[1] ?? "";
    expect(JSON.parse(json)).toEqual({ progress: { message: "Importing", done: 700, total: 1000, seconds_left: 20 } });
    progress[Symbol.dispose]();
  });
});

test("an import says once why it waits for the limit and who can raise it, and shows how far it is", async ({
  folder,
}) => {
  await using served = await serveFake({ rateLimit: 60 });
  const cli = openCli(served);
  const path = await folder.write(
    "domains.txt",
    Array.from({ length: 62 }, (_, at) => `site-${at}.example\n`).join(""),
  );
  const { exitCode, raw, text } = await cli.open(`import ${path} --privacy public`, { columns: 120 }).finish();
  expect(text).toContain("62 websites: 62 created.");
  expect(exitCode).toBe(0);
  expect(raw).toMatch(/Importing \d\d\/62, \d+ s left/);
  const words = text.replaceAll(/\s+/g, " ");
  expect(words.split("reached its limit of 60 requests per minute")).toHaveLength(2);
  expect(words).toMatch(/ask the operator for a higher +limit\. This command waits and retries\./);
});
