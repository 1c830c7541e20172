import { execFileSync } from "node:child_process";
import { mkdtempDisposableSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { Siteward } from "@siteward/sdk";
import { cliBin } from "@siteward/testing/servers/built-programs";
import { load } from "js-yaml";
import { expect, test } from "vitest";
import { startBuiltServer } from "./support/built-server.ts";
import { repositoryRoot as root } from "./support/documented-pages.ts";

const text = readFileSync(join(root, "examples/github-actions/websites.yml"), "utf8");

interface Job {
  readonly permissions: unknown;
  readonly "timeout-minutes": number;
  readonly steps: readonly { readonly run?: string; readonly with?: object; readonly uses?: string }[];
}

const workflow = load(text) as { permissions: unknown; jobs: Record<"plan" | "apply", Job> };

test("the example of a workflow uses only actions of our own workflows, at the same commits", () => {
  const folder = join(root, ".github/workflows");
  const ours = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
  const used = text.match(/actions\/\S+@\w{40} # v\S+/g) ?? [];
  expect(used.length).toBe(text.match(/uses:/g)?.length);
  expect(used.filter((action) => !ours.some((other) => other.includes(action)))).toEqual([]);
});

test("the example of a workflow has no more rights than it needs, and lets no text of a pull request into a command", () => {
  expect(workflow.permissions).toEqual({});
  for (const { permissions, steps, "timeout-minutes": minutes } of Object.values(workflow.jobs)) {
    expect(permissions).toEqual({ contents: "read" });
    expect(minutes).toBeGreaterThan(0);
    expect(steps[0]?.with).toEqual({ "persist-credentials": false });
    expect(steps.filter(({ run }) => run?.includes("${{"))).toEqual([]);
  }
  expect(text).not.toContain("pull_request_target");
});

test("the example of a workflow shows a plan with a key that can only read, and then applies it", async () => {
  await using server = await startBuiltServer();
  const { id, apiKey } = await server.createAccount();
  const words = ["--account", String(id), "--name", "read", "--scopes", "websites:read"];
  const reader = await server.operate("keys", "create", ...words);
  using folder = createFolder();
  writeFileSync(join(folder.path, "siteward.yaml"), "version: 1\nwebsites: [example.com]\n");
  const run = (job: Job, key: string): void => {
    for (const { run: command } of job.steps) {
      if (command === undefined || command.startsWith("npm install")) continue;
      execFileSync("bash", ["-e", "-o", "pipefail", "-c", command], {
        cwd: folder.path,
        env: { ...folder.env, SITEWARD_BASE_URL: server.url, SITEWARD_API_KEY: key },
      });
    }
  };
  run(workflow.jobs.plan, String(reader["key"]));
  expect(readFileSync(folder.env.GITHUB_STEP_SUMMARY, "utf8")).toBe(
    "```diff\n+ example.com\n\nPlan: 1 to create. 0 websites are as in the file.\n1 new website will be public (example.com).\n```\n",
  );
  const siteward = new Siteward({ apiKey, baseUrl: server.url });
  expect(await siteward.websites.getByDomain("example.com")).toBeUndefined();
  run(workflow.jobs.apply, apiKey);
  expect(await siteward.websites.getByDomain("example.com")).toBeDefined();
});

/** A folder in which `siteward` is the built CLI, as after `npm install --global`. */
function createFolder() {
  const folder = mkdtempDisposableSync(join(tmpdir(), "siteward-workflow-"));
  const { path } = folder;
  symlinkSync(cliBin, join(path, "siteward"));
  const searched = [path, dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter);
  const env = { PATH: searched, HOME: path, CI: "true", GITHUB_STEP_SUMMARY: join(path, "summary.md") };
  return { path, env, [Symbol.dispose]: () => folder.remove() };
}
