import { expect, test } from "vitest";
import { startBuiltServer } from "./support/built-server.ts";
import { runBuiltCli } from "./support/run-built-cli.ts";

test("with a wrong base URL, a command ends with code 3 and says what to do, and /api/v1 at its end is right", async () => {
  await using server = await startBuiltServer();
  const { apiKey } = await server.createAccount();
  const run = async (path: string, ...words: string[]) => {
    const env = { SITEWARD_API_KEY: apiKey, SITEWARD_BASE_URL: `${server.url}${path}` };
    const { exitCode, stderr } = await runBuiltCli(words, env);
    return [exitCode, stderr === "" ? "" : JSON.parse(stderr).error.next];
  };
  const check = expect.stringContaining("Check that the base URL belongs to a Siteward service");
  expect(await run("/api/v1/api/v1", "websites", "list")).toEqual([3, check]);
  expect(await run("/elsewhere", "account")).toEqual([3, check]);
  expect(await run("", "websites", "get", "2")).toEqual([3, "List your websites with `siteward websites list`."]);
  expect(await run("/api/v1/", "account")).toEqual([0, ""]);
});
