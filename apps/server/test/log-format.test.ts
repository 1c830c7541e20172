import { stripVTControlCharacters } from "node:util";
import { spawn } from "@lydell/node-pty";
import { serverBin } from "@siteward/testing/servers/built-programs";
import { expect, test } from "vitest";
import { engines } from "./support/engines.ts";

const words = ["start", "--port", "0", "--bootstrap"];
const patience = { timeout: 20_000, interval: 50 };
const text = /^\d\d:\d\d:\d\d\.\d{3} INFO {2}GET \/healthz 200 [\d.]+ ms request_id=\S+$/m;

test("the log on a terminal is text, also from workers", async () => {
  await using database = await engines.sqlite();
  const env = { DATABASE_URL: database.databaseUrl, SITEWARD_WORKERS: "2" };
  const terminal = spawn(process.execPath, [serverBin, ...words], { cols: 300, rows: 40, env });
  let written = "";
  terminal.onData((more) => {
    written += more;
  });
  const screen = () => stripVTControlCharacters(written).replaceAll("\r\n", "\n");
  await expect.poll(screen, patience).toContain("listening on");
  const url = /listening on (\S+)/.exec(screen())?.[1];
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  await expect.poll(screen, patience).toMatch(text);
  terminal.kill("SIGKILL");
});
