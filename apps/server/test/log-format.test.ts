import { openTerminal } from "@siteward/testing/open-terminal";
import { serverBin } from "@siteward/testing/servers/built-programs";
import { expect, test } from "vitest";
import { engines } from "./support/engines.ts";

const words = [process.execPath, serverBin, "start", "--port", "0", "--bootstrap"] as const;
const line = /^\d\d:\d\d:\d\d\.\d{3} INFO {2}GET \/healthz 200 [\d.]+ ms request_id=\S+$/m;

test("the log on a terminal is text, also from workers", async () => {
  await using database = await engines.sqlite();
  using terminal = openTerminal(words, { env: { ...database.environment, SITEWARD_WORKERS: "2" }, columns: 300 });
  await terminal.waitFor("listening on");
  const url = /listening on (\S+)/.exec(terminal.screen())?.[1];
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  await expect.poll(terminal.screen).toMatch(line);
});
