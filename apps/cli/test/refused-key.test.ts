import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keys, startFakeService } from "./support/fake-service.ts";
import { type RunInput, runCli } from "./support/run-cli.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

/** Returns the advice of an error. */
async function adviceOf(args: readonly string[], input: RunInput): Promise<string> {
  const run = await runCli(args, input);
  expect(run.exitCode).toBe(4);
  expect(run.stderr).not.toContain(keys.revoked);
  return JSON.parse(run.stderr).error.next;
}

test("the error about a key that the service refuses says where it comes from, where it was sent and how to replace it", async () => {
  await using service = await startFakeService();
  await using folder = await createTemporaryFolder();
  const keyFile = join(folder.path, "key.txt");
  await writeFile(keyFile, keys.revoked);
  const url = { SITEWARD_BASE_URL: service.baseUrl };
  const sent = `and was sent to ${service.baseUrl}.`;

  const fromFile = await adviceOf(["account", "--api-key-file", keyFile], { env: url });
  expect(fromFile).toBe(`The API key comes from --api-key-file ${keyFile} ${sent} Pass a valid key.`);

  const fromStdin = await adviceOf(["account", "--api-key-stdin"], { env: url, stdin: keys.revoked });
  expect(fromStdin).toBe(`The API key comes from --api-key-stdin ${sent} Pass a valid key.`);

  const fromEnvironment = await adviceOf(["account"], { env: { ...url, SITEWARD_API_KEY: keys.revoked } });
  expect(fromEnvironment).toMatch(
    `The API key comes from SITEWARD_API_KEY ${sent} Set SITEWARD_API_KEY to a valid key`,
  );

  const path = join(folder.path, "profiles.json");
  const stored = { profiles: { work: { api_key: keys.revoked, base_url: service.baseUrl } } };
  await writeFile(path, JSON.stringify(stored), { mode: 0o600 });
  const env = { SITEWARD_CONFIG_DIR: folder.path };
  const fromProfile = await adviceOf(["account", "--profile", "work"], { env });
  const remedy = "Log in again with `siteward login --profile work`.";
  expect(fromProfile).toBe(`The API key comes from profile "work" in ${path} ${sent} ${remedy}`);
});

test("so does the error of a login, which does not advise to log in", async () => {
  await using service = await startFakeService();
  const input = { env: { SITEWARD_BASE_URL: service.baseUrl }, stdin: keys.revoked };
  expect(await adviceOf(["login", "--api-key-stdin"], input)).toBe(
    `The API key comes from --api-key-stdin and was sent to ${service.baseUrl}. ` +
      "The operator of the service creates keys.",
  );
});

test("so does the error about a key without the scope", async () => {
  await using service = await startFakeService();
  const env = { SITEWARD_API_KEY: keys.withoutAccountScope, SITEWARD_BASE_URL: service.baseUrl };
  expect(await adviceOf(["account"], { env })).toMatch(
    /^The API key comes from SITEWARD_API_KEY and .* has this scope\.$/,
  );
});

test("the error about a mistyped key says where it comes from, and nothing was sent", async () => {
  await using service = await startFakeService();
  const env = { SITEWARD_API_KEY: `${keys.full}x`, SITEWARD_BASE_URL: service.baseUrl };
  expect(await adviceOf(["account"], { env })).toMatch(
    /^The API key comes from SITEWARD_API_KEY\. Copy the entire key/,
  );
  expect(service.requests).toEqual([]);
});
