import { stripVTControlCharacters } from "node:util";
import { spawn } from "@lydell/node-pty";
import { serverBin } from "@siteward/testing/servers/built-programs";
import { describe, expect, test } from "vitest";
import { engines } from "./support/engines.ts";

const words = ["start", "--port", "0", "--bootstrap"];
const text = /^\d\d:\d\d:\d\d\.\d{3} INFO {2}GET \/healthz 200 [\d.]+ ms request_id=\S+$/m;

describe("the log", () => {
  test.for([
    ["text", {}],
    ["text from workers", { SITEWARD_WORKERS: "2" }],
  ] as const)("on a terminal is %s", async ([, settings]) => {
    await using database = await engines.sqlite();
    using terminal = openTerminal({ DATABASE_URL: database.databaseUrl, ...settings });
    await expect.poll(terminal.screen, patience).toContain("listening on");
    const url = /listening on (\S+)/.exec(terminal.screen())?.[1];
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    await expect.poll(terminal.screen, patience).toMatch(text);
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
