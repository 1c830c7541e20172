import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Siteward } from "@siteward/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltServer, cliBin, startBuiltServer } from "./support/built-server.ts";

/** One website with every field, which each client writes. */
const fields = {
  privacy: 2,
  password: "correct horse",
  email: 1,
  exclude_bots: 0,
  exclude_params: ["utm_*", "gclid"],
  exclude_ips: ["203.0.113.9/24", "::ffff:198.51.100.7", "2001:db8:0:0::1"],
} as const;

const expected = {
  privacy: 2,
  has_password: true,
  email: 1,
  exclude_bots: 0,
  exclude_params: ["utm_*", "gclid"],
  exclude_ips: ["203.0.113.0/24", "198.51.100.7", "2001:db8::1"],
};

let server: BuiltServer;
let apiKey = "";

beforeAll(async () => {
  server = await startBuiltServer();
  apiKey = (await server.createAccount()).apiKey;
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

describe("every client writes the same record", () => {
  test("curl with a form body, one entry per line", async () => {
    const form = [
      ...["-d", "domain=form.example.com", "-d", "privacy=2", "--data-urlencode", `password=${fields.password}`],
      ...["-d", "email=1", "-d", "exclude_bots=0"],
      ...["--data-urlencode", `exclude_params=${fields.exclude_params.join("\n")}`],
      ...["--data-urlencode", `exclude_ips=${fields.exclude_ips.join("\n")}`],
    ];
    expect(await curl(form)).toMatchObject({ ...expected, domain: "form.example.com" });
  });

  test("curl with a form body, the field repeated", async () => {
    const form = [
      ...["-d", "domain=repeated.example.com", "-d", "privacy=2", "--data-urlencode", `password=${fields.password}`],
      ...["-d", "email=1", "-d", "exclude_bots=0"],
      ...fields.exclude_params.flatMap((entry) => ["--data-urlencode", `exclude_params[]=${entry}`]),
      ...fields.exclude_ips.flatMap((entry) => ["--data-urlencode", `exclude_ips=${entry}`]),
    ];
    expect(await curl(form)).toMatchObject({ ...expected, domain: "repeated.example.com" });
  });

  test("curl with a JSON body", async () => {
    const body = JSON.stringify({ domain: "json.example.com", ...fields });
    const record = await curl(["-H", "Content-Type: application/json", "-d", body]);
    expect(record).toMatchObject({ ...expected, domain: "json.example.com" });
  });

  test("the SDK", async () => {
    const siteward = new Siteward({ apiKey, baseUrl: server.url });
    const record = await siteward.websites.create({
      domain: "sdk.example.com",
      ...fields,
      exclude_params: [...fields.exclude_params],
      exclude_ips: [...fields.exclude_ips],
    });
    expect(record).toMatchObject({ ...expected, domain: "sdk.example.com" });
  });

  test("the CLI", async () => {
    const { stdout } = await runCli(
      ["websites", "create", "cli.example.com", "--privacy", "password", "--password-stdin", "--email", "on"].concat(
        ["--exclude-bots", "off"],
        fields.exclude_params.flatMap((entry) => ["--exclude-params", entry]),
        fields.exclude_ips.flatMap((entry) => ["--exclude-ips", entry]),
      ),
      fields.password,
    );
    expect(JSON.parse(stdout)).toMatchObject({ ...expected, domain: "cli.example.com" });
  });
});

async function curl(commandLine: readonly string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)("curl", [
    ...["--silent", "--show-error", "-H", `Authorization: Bearer ${apiKey}`],
    ...commandLine,
    `${server.url}/api/v1/websites`,
  ]);
  return JSON.parse(stdout).data;
}

async function runCli(commandLine: readonly string[], input: string): Promise<{ stdout: string }> {
  const run = promisify(execFile)(process.execPath, [cliBin, ...commandLine], {
    env: { ...process.env, SITEWARD_API_KEY: apiKey, SITEWARD_BASE_URL: server.url },
  });
  run.child.stdin?.end(`${input}\n`);
  return run;
}
