import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BuiltServer, cliBin, startBuiltServer } from "./support/built-server.ts";

let server: BuiltServer;
let apiKey = "";

beforeAll(async () => {
  server = await startBuiltServer();
  apiKey = (await server.createAccount()).apiKey;
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

test.each([
  ["/api/v1/api/v1", "websites list", expect.stringContaining("Check that the base URL belongs to a Siteward service")],
  ["/elsewhere", "account", expect.stringContaining("Check that the base URL belongs to a Siteward service")],
  ["", "websites get 2", "List your websites with `siteward websites list`."],
])("with the base URL path %j, `siteward %s` ends with code 3 and says what to do", async (path, words, next) => {
  const run = await runCli(words.split(" "), `${server.url}${path}`);
  expect(run.code).toBe(3);
  expect(JSON.parse(run.stderr).error).toMatchObject({ code: "not_found", next });
});

test.each(["/api/v1", "/api/v1/"])(
  "the base URL may end in %s, which the paths of the API begin with",
  async (path) => {
    expect(await runCli(["account"], `${server.url}${path}`)).toEqual({ code: 0, stderr: "" });
  },
);

/** Runs the built CLI. */
function runCli(words: string[], baseUrl: string): Promise<{ code: number; stderr: string }> {
  const env = { ...process.env, SITEWARD_API_KEY: apiKey, SITEWARD_BASE_URL: baseUrl };
  return promisify(execFile)(process.execPath, [cliBin, ...words], { env }).then(
    ({ stderr }) => ({ code: 0, stderr }),
    // execFile rejects with the exit code and the output of the program.
    (error: { code: number; stderr: string }) => error,
  );
}
