import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Siteward } from "@siteward/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltServer, startBuiltServer } from "./support/built-server.ts";
import { startBuiltCli } from "./support/start-built-cli.ts";

let server: BuiltServer;
let apiKey = "";
let siteward: Siteward;

beforeAll(async () => {
  // Two processes, so that simultaneous requests meet only in the database.
  server = await startBuiltServer({ SITEWARD_WORKERS: "2" });
  apiKey = (await server.createAccount()).apiKey;
  siteward = new Siteward({ apiKey, baseUrl: server.url });
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

describe("every client writes the same record:", () => {
  const fields = { privacy: 2, password: "correct horse", email: 1, exclude_bots: 0 } as const;
  const lists = {
    exclude_params: ["utm_*", "gclid"],
    exclude_ips: ["203.0.113.9/24", "::ffff:198.51.100.7", "2001:db8:0:0::1"],
  };
  const { password: _password, ...plain } = fields;
  const exclude_ips = ["203.0.113.0/24", "198.51.100.7", "2001:db8::1"];
  const expected = { ...plain, has_password: true, exclude_params: lists.exclude_params, exclude_ips };
  const plainForm = Object.entries(fields).flatMap(([name, value]) => ["--data-urlencode", `${name}=${value}`]);

  async function curl(domain: string, body: readonly string[]): Promise<unknown> {
    const headers = ["-H", `Authorization: Bearer ${apiKey}`, "-d", `domain=${domain}`];
    const args = ["--silent", "--show-error", ...headers, ...body, `${server.url}/api/v1/websites`];
    return JSON.parse((await promisify(execFile)("curl", args)).stdout).data;
  }

  test("curl with a form body, one entry per line", async () => {
    const entries = Object.entries(lists).flatMap(([name, list]) => ["--data-urlencode", `${name}=${list.join("\n")}`]);
    expect(await curl("form.example", [...plainForm, ...entries])).toMatchObject(expected);
  });

  test("curl with a form body, the field repeated", async () => {
    const entries = Object.entries(lists).flatMap(([name, list]) =>
      list.flatMap((entry) => ["--data-urlencode", `${name}[]=${entry}`]),
    );
    expect(await curl("repeated.example", [...plainForm, ...entries])).toMatchObject(expected);
  });

  test("the SDK, with a JSON body", async () => {
    expect(await siteward.websites.create({ domain: "sdk.example", ...fields, ...lists })).toMatchObject(expected);
  });

  test("the CLI", async () => {
    const entries = Object.entries(lists).map(([name, list]) => `--${name.replace("_", "-")} ${list.join()}`);
    const words = `websites create cli.example --privacy password --password-stdin --email on --exclude-bots off`;
    const env = { SITEWARD_API_KEY: apiKey, SITEWARD_BASE_URL: server.url };
    const { stdout } = await startBuiltCli(`${words} ${entries.join(" ")}`, env, fields.password).ended;
    expect(JSON.parse(stdout)).toMatchObject(expected);
  });
});

test("an upsert creates the website or updates it, and keeps the fields that are not passed", async () => {
  const created = await siteward.websites.upsert({ domain: "Bücher.example", email: 1 }).withResponse();
  const updated = await siteward.websites.upsert({ domain: "xn--bcher-kva.example", privacy: 1 }).withResponse();
  expect([created.response.status, updated.response.status]).toEqual([201, 200]);
  expect(updated.data).toMatchObject({ id: created.data.id, privacy: 1, email: 1 });
});
