import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readTerminalScreen } from "@siteward/testing/terminal-screen";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltServer, startBuiltServer } from "./support/built-server.ts";
import { type CliTerminal, openCliTerminal } from "./support/open-cli-terminal.ts";
import { readRealDomains } from "./support/real-domains.ts";
import { startBuiltCli } from "./support/start-built-cli.ts";

const columns = 120;
/** So many that the last 140 wait for a limit of 600 requests a minute, which takes 14 s. */
const domains = readRealDomains().slice(0, 740);

let server: BuiltServer;
let folder: string;

beforeAll(async () => {
  server = await startBuiltServer({ SITEWARD_RATE_LIMIT: "0" });
  folder = mkdtempSync(join(tmpdir(), "siteward-e2e-"));
  writeFileSync(join(folder, "domains.txt"), domains.join("\n"));
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

/** Returns the settings for a new account, whose key has a limit of 600 requests a minute. */
async function limitedAccount() {
  const { id } = await server.createAccount();
  const limit = ["--name", "cli", "--rate-limit", "600", "--json"];
  const { key, prefix } = await server.operate("keys", "create", "--account", String(id), ...limit);
  return { env: { SITEWARD_API_KEY: String(key), SITEWARD_BASE_URL: server.url }, prefix: String(prefix) };
}

/** Records what a terminal shows, several times a second, from the first line of progress until the run has ended. */
async function record(terminal: CliTerminal): Promise<readonly string[]> {
  await terminal.waitFor("Importing");
  const screens: string[] = [];
  let isOver = false;
  void terminal.exitCode.then(() => {
    isOver = true;
  });
  while (!isOver) {
    screens.push((await readTerminalScreen(terminal.raw(), columns)).lines.join("\n"));
    await sleep(25);
  }
  return screens;
}

describe.concurrent("an import that waits for the limit of its key", () => {
  test("shows a line that is never blank, says why it waits and for how long, and says once who can raise the limit", async () => {
    const { env, prefix } = await limitedAccount();
    using terminal = openCliTerminal(["import", "domains.txt"], { env, folder, columns });
    const screens = await record(terminal);
    const { exitCode, text } = await terminal.finish();
    expect(exitCode).toBe(0);
    // The last ones may show the result.
    const waiting = screens.filter((screen) => !screen.includes("740 websites"));
    expect(waiting.length).toBeGreaterThan(200);
    const blank = waiting.filter((screen) => !screen.includes("Importing  "));
    expect(blank.length).toBeLessThan(waiting.length * 0.05);
    const isExplained = (screen: string) =>
      /\/740 .* \d+ s left .*Limit of the API key: 600\/min|requests a minute$/.test(screen);
    // The first 600 do not wait, and on a busy machine they take longer than the rest.
    const limited = waiting.slice(waiting.findIndex(isExplained));
    expect(limited.length).toBeGreaterThan(100);
    expect(limited.filter(isExplained).length).toBeGreaterThan(limited.length * 0.8);
    const raised = `siteward-server keys update ${prefix} --rate-limit NUMBER`;
    expect(text.replaceAll("\n", " ").split("The limit of the API key is 600 requests a minute")).toHaveLength(2);
    expect(text.replaceAll("\n", " ")).toContain(raised);
    await server.operate(...raised.replace("NUMBER", "6000").split(" ").slice(1));
  });

  test("prints a line of JSON after ten seconds if nothing can be drawn, and says once who can raise the limit", async () => {
    const { env, prefix } = await limitedAccount();
    const end = await startBuiltCli(["import", join(folder, "domains.txt")], env).ended;
    expect(end.exitCode).toBe(0);
    const [warning, progress, ...others] = end.stderr
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
    expect(warning.warning.message).toContain(`\`siteward-server keys update ${prefix} --rate-limit NUMBER\``);
    expect(progress).toEqual({
      progress: {
        message: "Importing",
        done: expect.any(Number),
        total: 740,
        seconds_left: expect.any(Number),
        reason: "Waiting for the limit of the API key, 600 requests a minute",
      },
    });
    const { done, seconds_left: secondsLeft } = progress.progress;
    expect(Math.abs(secondsLeft - (740 - done) / 10)).toBeLessThan(2);
    // A slow machine takes long enough for another line of progress.
    expect(others.filter((line) => line.progress === undefined)).toEqual([]);
  });
});
