import { stripVTControlCharacters } from "node:util";
import { spawn } from "@lydell/node-pty";
import { serverBin } from "@siteward/testing/servers/built-programs";
import { describe, expect, test } from "vitest";
import { engines } from "./support/engines.ts";
import { startProgram } from "./support/run-program.ts";

const words = ["start", "--port", "0", "--bootstrap"];
const text = /^\d\d:\d\d:\d\d\.\d{3} INFO {2}GET \/healthz 200 [\d.]+ ms request_id=\S+$/m;
const json = /^\{"level":30,.*"path":"\/healthz".*\}$/m;

describe("the log", () => {
  test.for([
    ["text by default", {}, text],
    ["text from workers", { SITEWARD_WORKERS: "2" }, text],
    ["JSON if asked for", { LOG_FORMAT: "json" }, json],
  ] as const)("on a terminal is %s", async ([, settings, expected]) => {
    await using database = await engines.sqlite();
    using terminal = openTerminal({ DATABASE_URL: database.databaseUrl, ...settings });
    await expect.poll(terminal.screen, patience).toContain("listening on");
    const url = /listening on (\S+)/.exec(terminal.screen())?.[1];
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    await expect.poll(terminal.screen, patience).toMatch(expected);
  });

  test.for([
    ["JSON by default", {}, json],
    ["text if asked for", { LOG_FORMAT: "text" }, text],
  ] as const)("in a pipe is %s", async ([, settings, expected]) => {
    await using database = await engines.sqlite();
    await using running = startProgram([...words, "--json"], { DATABASE_URL: database.databaseUrl, ...settings });
    const { url } = JSON.parse(await running.printed("\n"));
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    running.signal("SIGTERM");
    expect((await running.ended).stderr).toMatch(expected);
  });
});

const patience = { timeout: 20_000, interval: 50 };

function openTerminal(settings: Record<string, string>): Disposable & { screen: () => string } {
  let written = "";
  const terminal = spawn(process.execPath, [serverBin, ...words], { cols: 300, rows: 40, env: settings });
  terminal.onData((more) => {
    written += more;
  });
  return {
    screen: () => stripVTControlCharacters(written).replaceAll("\r\n", "\n"),
    [Symbol.dispose]: () => terminal.kill("SIGKILL"),
  };
}
