import { execFile } from "node:child_process";
import { promisify } from "node:util";
import openApiDocument from "@siteward/contract/openapi.json" with { type: "json" };
import { Siteward } from "@siteward/sdk";
import { cliBin } from "@siteward/testing/servers/built-programs";
import { expect, test } from "vitest";
import { startBuiltServer } from "./support/built-server.ts";
import { createProject } from "./support/examples.ts";

/** In an order in which each works: the ID of the examples is that of the website that is updated, and then deleted. */
const operationIds = ["getAccount", "listWebsites", "getWebsite", "createWebsite", "updateWebsite", "deleteWebsite"];
const siteward = `siteward() { "${process.execPath}" "${cliBin}" "$@"; }`;

/** Every setting is different from its default. */
const lists = { exclude_params: ["ref"], exclude_ips: ["192.0.2.1"] };
const settings = { privacy: 2, email: 1, exclude_bots: 0, ...lists } as const;

test("the request of each operation in its description works with curl, with the SDK and with the CLI, and does the same", {
  timeout: 60_000,
}, async () => {
  await using server = await startBuiltServer();
  const described = new Map(
    Object.values(openApiDocument.paths)
      .flatMap((path) => Object.values(path))
      .map(({ operationId, description }) => [operationId, blocksOf(description)]),
  );
  const valuesOfUpdate = described
    .get("updateWebsite")
    ?.map(({ code }) => /exclude.bots[^\w…]+([\w…]+)/.exec(code)?.[1]);
  expect(valuesOfUpdate).toEqual(["…", "…", "…"]);
  expect([...described.keys()].toSorted()).toEqual(operationIds.toSorted());
  const forms = operationIds.map((id) => described.get(id) ?? []);
  for (const blocks of forms) expect(blocks.map(({ language }) => language)).toEqual(["sh", "ts", "sh"]);
  const [curl, sdk, cli] = [0, 1, 2].map((index) => forms.map((blocks) => blocks[index]?.code.replace("…", "1") ?? ""));
  const runs = { curl: (key: string) => runInBash(curl ?? [], key), cli: (key: string) => runInBash(cli ?? [], key) };

  const [byCurl, bySdk, byCli] = await Promise.all([
    withAccount(runs.curl),
    withAccount((key) => runProgram(sdk ?? [], key)),
    withAccount(runs.cli),
  ]);

  expect(byCurl.printed[3]).toMatchObject({ data: { domain: "example.com", exclude_params: ["utm_*", "gclid"] } });
  expect(byCurl.printed[1]).toMatchObject({ data: [{ id: 1 }, { id: 2 }] });
  for (const { left } of [byCurl, bySdk, byCli]) expect(left).toEqual([1, 2, 3, 4, 5, 6, 8]);
  const changed = { ...settings, has_password: true, exclude_bots: 1 };
  const updated = [byCurl.printed[4], { data: bySdk.printed[4] }, { data: byCli.printed[4] }];
  for (const answer of updated) expect(answer).toMatchObject({ data: changed });

  /** Runs the requests on an account of their own, with seven websites. */
  async function withAccount(run: (apiKey: string) => Promise<unknown[]>) {
    const { apiKey } = await server.createAccount();
    const { websites } = new Siteward({ apiKey, baseUrl: server.url });
    for (const index of [1, 2, 3, 4, 5, 6]) {
      await websites.create({ domain: index < 3 ? `example${index}.org` : `site${index}.org` });
    }
    await websites.create({ domain: "site7.org", ...settings, password: "correct horse" });
    const printed = await run(apiKey);
    const left = await websites.list({ sort: "asc" }).toArray({ limit: 100 });
    return { printed, left: left.map(({ id }) => id) };
  }

  async function runInBash(commands: readonly string[], apiKey: string): Promise<unknown[]> {
    const script = [siteward, ...commands.map((command) => `${command}\nprintf '\\n--\\n'`)].join("\n");
    const { stdout } = await promisify(execFile)("bash", ["-e", "-c", script], { env: environment(apiKey) });
    return stdout.split("\n--\n").slice(0, -1).map(parse);
  }

  async function runProgram(calls: readonly string[], apiKey: string): Promise<unknown[]> {
    const preamble = blocksOf(openApiDocument.info.description).find(({ language }) => language === "ts")?.code ?? "";
    const lines = calls.map((call) => `console.log(JSON.stringify(${call.replace(/;$/, "")}) ?? "");`);
    using project = createProject({ "forms.mts": [preamble, ...lines].join("\n") });
    const options = { cwd: project.path, env: environment(apiKey) };
    const { stdout } = await promisify(execFile)(process.execPath, ["forms.mts"], options);
    return stdout.split("\n").slice(0, -1).map(parse);
  }

  function environment(apiKey: string) {
    const { PATH = "" } = process.env;
    return { PATH, HOME: "/nonexistent", SITEWARD_BASE_URL: server.url, SITEWARD_API_KEY: apiKey };
  }
});

function blocksOf(markdown: string) {
  return [...markdown.matchAll(/```(\w+)\n([\s\S]*?)\n```/g)].map(([, language, code = ""]) => ({ language, code }));
}

function parse(text: string): unknown {
  return text.trim() === "" ? undefined : JSON.parse(text);
}
