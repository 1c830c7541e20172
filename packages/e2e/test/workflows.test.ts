import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const folder = join(root, ".github/workflows");

interface Workflow {
  readonly permissions: unknown;
  readonly concurrency?: { readonly group: string };
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly uses?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly "timeout-minutes"?: number;
  readonly steps?: readonly Step[];
}

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

const files = readdirSync(folder);
const readText = (file: string) => readFileSync(join(folder, file), "utf8");
const readWorkflow = (file: string): Workflow => parse(readText(file));
const jobsOf = (file: string) => Object.entries(readWorkflow(file).jobs);
const stepsOf = (file: string) => jobsOf(file).flatMap(([, { steps }]) => steps ?? []);

test("there is a workflow for tests and one for releases", () => {
  expect(files.toSorted()).toEqual(["release.yml", "test.yml"]);
});

describe.for(files)("%s", (file) => {
  test("grants no right to all of its jobs, and each job states its own", () => {
    expect(readWorkflow(file).permissions).toEqual({});
    expect(jobsOf(file).filter(([, { permissions }]) => permissions === undefined)).toEqual([]);
  });

  test("pins each action by the hash of a commit, with its version in a comment", () => {
    const lines = readText(file).match(/^.*\buses:.*$/gm) ?? [];
    const pinned = /uses: (\.\/\.github\/workflows\/\w+\.yml|[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/;
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.filter((line) => !pinned.test(line))).toEqual([]);
  });

  test("never leaves the token of a checkout behind", () => {
    const checkouts = stepsOf(file).filter(({ uses }) => uses?.startsWith("actions/checkout@"));
    expect(checkouts.length).toBeGreaterThan(0);
    expect(checkouts.filter((step) => step.with?.["persist-credentials"] !== false)).toEqual([]);
  });

  test("uses no secret, and no cache that another run can fill", () => {
    expect(readText(file)).not.toMatch(/secrets|pull_request_target/);
    const setups = stepsOf(file).filter(({ uses }) => uses?.startsWith("actions/setup-node@"));
    const expected = setups.map(() => ({ "node-version": 24, "package-manager-cache": false }));
    expect(setups.map((step) => step.with)).toEqual(expected);
  });

  test("lets no text of a pull request into a command", () => {
    expect(stepsOf(file).filter(({ run }) => run?.includes("${{"))).toEqual([]);
  });

  test("has a time-out for each job, and a concurrency group of its own", () => {
    expect(jobsOf(file).filter(([, job]) => job.uses === undefined && !((job["timeout-minutes"] ?? 0) > 0))).toEqual(
      [],
    );
    const groups = files.map((name) => readWorkflow(name).concurrency?.group);
    expect(groups.filter((group) => group === readWorkflow(file).concurrency?.group)).toHaveLength(1);
  });

  test("runs only pnpm scripts that exist, with pnpm 10", () => {
    const { scripts, packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const commands = stepsOf(file).map((step) => step.run ?? String(step.with?.["script"] ?? ""));
    const named = commands.flatMap((command) =>
      [...command.matchAll(/\bpnpm ([a-z][\w:-]*)/g)].map(([, name = ""]) => name),
    );
    expect(named.filter((name) => !(name in scripts) && name !== "install")).toEqual([]);
    expect(packageManager).toMatch(/^pnpm@10\./);
  });
});

test("only the job that publishes may prove its identity, and only jobs of a release may write", () => {
  const rights = files.flatMap((file) =>
    jobsOf(file).map(([name, job]) => ({ job: `${file} ${name}`, rights: Object.entries(job.permissions ?? {}) })),
  );
  const withRight = (right: string) => rights.filter((job) => job.rights.flat().includes(right)).map(({ job }) => job);
  expect(withRight("id-token")).toEqual(["release.yml publish"]);
  expect(withRight("write")).toEqual(["release.yml version", "release.yml publish"]);
});

test("every test script runs as the README runs the tests, and nothing is published without them", () => {
  const { scripts }: { scripts: object } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const [, prefix] = /^(npx .*)pnpm start$/m.exec(readFileSync(join(root, "README.md"), "utf8")) ?? [];
  const testScripts = Object.keys(scripts).filter((name) => /^test\b/.test(name));
  const commands = stepsOf("test.yml").flatMap(({ run }) =>
    run === ".ci/run" ? readFileSync(join(root, run), "utf8").split("\n") : (run ?? []),
  );
  expect(testScripts).toContain("test:runtimes");
  for (const name of testScripts) expect(commands).toContain(`${prefix}pnpm ${name}`);
  const { jobs }: { jobs: Record<string, { needs?: string | string[] }> } = parse(readText("release.yml"));
  expect(jobs["publish"]?.needs).toBe("pack");
  expect(jobs["pack"]?.needs).toContain("test");
});
