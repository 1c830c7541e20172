import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { openTerminal, type Terminal } from "./support/open-terminal.ts";

const program = fileURLToPath(new URL("support/show-progress.ts", import.meta.url));

function showProgress(args: readonly string[], env: Readonly<Record<string, string>> = {}): Terminal {
  return openTerminal(args, { program, env, columns: 80 });
}

const eraseLine = "\r\u001b[K";

describe.concurrent("progress on a terminal", () => {
  test("shows what is done, how much is left and what is being done now, and erases itself", async () => {
    using terminal = showProgress(["Importing", "1000"]);
    await terminal.waitFor("Importing");
    expect(terminal.screen()).toContain("0/1,000");
    terminal.type("+d");
    await terminal.waitFor("example.com");
    expect(terminal.screen()).toMatch(
      /Importing {2}█{6}░{18} {2}250\/1,000 {2}[\d.,]+\/s {2}\d+ s left {2}example\.com/,
    );
    terminal.type("q");
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.raw()).toContain(`${eraseLine}done`);
  });

  test("shows a spinner if the total is unknown, and no step of the work next to it", async () => {
    using terminal = showProgress(["Waiting for the service"]);
    await terminal.waitFor("⠹ Waiting for the service");
    terminal.type("q");
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.screen()).not.toContain("A step of it");
  });

  test("never shares a line with a result, and comes back after it", async () => {
    using terminal = showProgress(["Listing", "1000"]);
    await terminal.waitFor("Listing");
    terminal.type("p");
    await terminal.waitFor("a result");
    expect(terminal.raw()).toContain(`${eraseLine}a result`);
    terminal.type("+");
    await terminal.waitFor("250/1,000");
  });

  test("is erased if the process is interrupted", async () => {
    using terminal = showProgress(["Listing", "1000"]);
    await terminal.waitFor("Listing");
    terminal.type("i");
    expect(await terminal.exitCode).toBe(130);
    expect(terminal.raw().endsWith(eraseLine)).toBe(true);
  });

  test("shows nothing if the work ends within a second", async () => {
    using terminal = showProgress(["Listing", "1000"]);
    await terminal.waitFor("ready");
    terminal.type("q");
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.screen()).not.toContain("Listing");
  });

  test.each([
    ["in CI", { CI: "true" }],
    ["on a dumb terminal", { TERM: "dumb" }],
  ])("shows nothing %s", async (_name, env) => {
    using terminal = showProgress(["Listing", "1000"], env);
    await terminal.waitFor("ready");
    // Longer than work must take to be shown.
    await new Promise((resolve) => setTimeout(resolve, 1300));
    terminal.type("q");
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.screen()).not.toContain("Listing");
  });

  test("is there at once for work that follows other work, and never erased to be drawn again", async () => {
    using terminal = showProgress(["Reading", "1000"]);
    await terminal.waitFor("0/1,000");
    terminal.type("+");
    await terminal.waitFor("250/1,000");
    terminal.type("n");
    await terminal.waitFor("Work after it");
    // Between two frames, the line is only overwritten. It is erased once, when the first work ends.
    expect(terminal.raw().split(eraseLine)).toHaveLength(2);
  });
});

describe.concurrent("progress that cannot be drawn", () => {
  test("is a line after ten seconds, and another one after ten more", async () => {
    using terminal = showProgress(["Listing", "1000"], { CI: "true" });
    await terminal.waitFor("ready");
    terminal.type("+");
    await terminal.waitFor("Listing: 250/1,000, ");
    const lines = () => terminal.screen().match(/Listing: 250\/1,000, .+ left\n/g)?.length;
    await sleep(9_000);
    expect(lines()).toBe(1);
    await sleep(2_000);
    expect(lines()).toBe(2);
  });
});
