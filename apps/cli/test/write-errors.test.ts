import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { keys, startFakeService } from "./support/fake-service.ts";
import { binPath, cleanEnvironment } from "./support/run-cli.ts";

/** Every write to this device fails as on a full disk. */
const fullDevice = "/dev/full";
/** Only Linux and some BSDs have it. */
const onSystemsWithIt = test.skipIf(!existsSync(fullDevice));

interface Redirection {
  readonly args: readonly string[];
  readonly full: "stdout" | "stderr";
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the CLI with a stream on a full disk, and returns the exit code and what the other stream received. */
async function runOnFullDisk({ args, full, env = {} }: Redirection) {
  const redirection = full === "stdout" ? `>${fullDevice}` : `2>${fullDevice}`;
  const command = ["-c", `exec "$@" ${redirection}`, "sh", process.execPath, binPath, ...args];
  const child = spawn("/bin/sh", command, { env: cleanEnvironment(env), stdio: ["ignore", "pipe", "pipe"] });
  const received = full === "stdout" ? child.stderr : child.stdout;
  const [output, [exitCode]] = await Promise.all([text(received), once(child, "close")]);
  return { exitCode, output };
}

const message = "Cannot write the result: no space left on device.";

onSystemsWithIt.each([
  ["a record", ["websites", "get", "1"]],
  ["a list", ["websites", "list"]],
  ["a list that is printed as it arrives", ["websites", "list", "--all", "--output", "ndjson"]],
  ["an export to a file", ["export", fullDevice]],
  ["a help page", ["websites", "--help"]],
  ["the version", ["--version"]],
])("on a full disk, %s is one error and exit code 1", async (_name, args) => {
  await using service = await startFakeService(Array.from({ length: 300 }, (_, index) => `site-${index}.example`));
  const env = { SITEWARD_API_KEY: keys.full, SITEWARD_BASE_URL: service.baseUrl };
  const { exitCode, output } = await runOnFullDisk({ args, full: "stdout", env });
  expect(exitCode).toBe(1);
  expect(JSON.parse(output)).toEqual({ error: { code: "output_failed", message } });
});

onSystemsWithIt("the error is text if text was requested", async () => {
  const { exitCode, output } = await runOnFullDisk({ args: ["logout", "--output", "table"], full: "stdout" });
  expect({ exitCode, output }).toEqual({ exitCode: 1, output: `Error: ${message}\n` });
});

onSystemsWithIt.each([
  ["an error", ["websites", "lst"], { exitCode: 2, output: "" }],
  ["a trace", ["--verbose", "--output", "ndjson", "account"], { exitCode: 0, output: expect.stringContaining("Ada") }],
] as const)("if %s cannot be written to stderr, the command ends as usual", async (_name, args, end) => {
  await using service = await startFakeService();
  const env = { SITEWARD_API_KEY: keys.full, SITEWARD_BASE_URL: service.baseUrl };
  expect(await runOnFullDisk({ args, full: "stderr", env })).toEqual(end);
});
