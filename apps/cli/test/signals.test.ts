import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect } from "vitest";
import { openCli, test } from "./support/cli-test.ts";
import { errorOf } from "./support/run-cli.ts";
import { serveFake } from "./support/serve-fake.ts";

describe.each([
  ["SIGHUP", 129, [null, "SIGHUP"]],
  ["SIGINT", 130, [130, null]],
  ["SIGTERM", 143, [null, "SIGTERM"]],
] as const)("%s", (signal, exitCode, end) => {
  test("lets an import finish what was sent, and ends it the second time", async ({ folder }) => {
    const path = await folder.write("domains.txt", domains.join("\n"));
    await using service = await startStoppingService();
    const { child } = openCli(service).start(`import ${path}`);
    await service.stopped;
    child.kill(signal);
    await setTimeout(200);
    expect([child.exitCode, child.signalCode]).toEqual([null, null]);
    child.kill(signal);
    expect(await once(child, "close")).toEqual([exitCode, null]);
    expect(service.fake.websites).toHaveLength(answered);
  });

  test("ends a command that has not taken over", async ({ cli }) => {
    cli.fake.failNext({ delayMs: Infinity });
    const { child } = cli.start("account");
    while (cli.fake.requests.length === 0) await setTimeout(20);
    child.kill(signal);
    expect(await once(child, "close")).toEqual(end);
  });
});

test.for([
  ["check", 1],
  ["websites check 1", 2],
] as const)(
  "Ctrl-C ends `siteward %s` although nobody writes to the pipe that it reads, after %i times",
  async ([words, times], { cli, folder }) => {
    await cli.add("example.com");
    const path = join(folder.path, "pipe");
    execFileSync("mkfifo", [path]);
    const { child } = cli.start(`${words} ${path}`);
    await using _writer = await open(path, "w");
    for (let count = 0; count < times; count += 1) {
      await setTimeout(100);
      child.kill("SIGINT");
    }
    expect(await once(child, "close")).toEqual([null, "SIGINT"]);
  },
);

test("an export that is interrupted says so, and leaves the earlier file and nothing else", async ({ cli, folder }) => {
  const path = await folder.write("websites.csv", "earlier");
  cli.fake.failNext({ delayMs: Infinity });
  const { child, ended } = cli.start(`export ${path} --force`);
  while (cli.fake.requests.length === 0) await setTimeout(20);
  child.kill("SIGINT");
  const run = await ended;
  expect(run.exitCode).toBe(130);
  expect(errorOf(run)).toEqual({ code: "interrupted", message: "Interrupted." });
  expect(await folder.read("websites.csv")).toBe("earlier");
  expect(await readdir(folder.path)).toEqual(["websites.csv"]);
});

const domains = Array.from({ length: 60 }, (_, index) => `site-${index}.example`);
/** How many websites are created before the service stops to answer. */
const answered = 20;
const parallel = 8;

/** A service that answers some creates, and holds back those after them. */
async function startStoppingService() {
  const [stopped, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let creates = 0;
  const served = await serveFake({
    before: async ({ method }) => {
      if (method !== "POST") return;
      creates += 1;
      if (creates === answered + parallel) stopped.resolve();
      if (creates > answered) await released.promise;
    },
  });
  return { ...served, stopped: stopped.promise, goOn: () => released.resolve() };
}

describe.each([
  ["import", "import domains.txt --privacy public"],
  ["apply", "apply siteward.yaml --yes --allow-public"],
])("Ctrl-C in the middle of `siteward %s`", (_name, words) => {
  test("finishes what was sent and says what is done; the same command again does the rest", async ({ folder }) => {
    await folder.write("domains.txt", domains.join("\n"));
    await folder.write("siteward.yaml", `version: 1\nwebsites: [${domains.join(", ")}]\n`);
    await using service = await startStoppingService();
    using terminal = openCli(service).open(words, { folder: folder.path });
    await service.stopped;
    terminal.type("\u0003");
    await terminal.waitFor("Press Ctrl-C again");
    service.goOn();
    const transcript = await terminal.finish();
    expect(transcript.exitCode).toBe(130);
    const created = answered + parallel;
    expect(service.fake.websites).toHaveLength(created);
    expect(transcript.text).toContain("Interrupted");
    expect(transcript.text).toContain(`${created} created`);
    expect(transcript.text).toContain(`${domains.length - created} not tried`);
    expect(transcript.text).toMatch(/Run the (same )?command again/);
    expect(transcript.text, "no line of progress is left").not.toMatch(/ing \d+\/60/);
    expect(transcript.leftovers).toEqual([]);
    const again = await openCli(service).run(words.replace(/\S+\.(txt|yaml)/, `${folder.path}/$& -o table`));
    expect(again).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(`${domains.length - created} created`),
    });
    expect(service.fake.websites.map(({ domain }) => domain).toSorted()).toEqual(domains.toSorted());
  });
});

test("Ctrl-C while the service does not answer ends a command with 130, without its spinner", async ({ cli }) => {
  cli.fake.failNext({ delayMs: Infinity });
  using terminal = cli.open("websites list");
  // A spinner is drawn after a second.
  await terminal.waitFor("Waiting");
  terminal.type("\u0003");
  const transcript = await terminal.finish();
  expect(transcript.exitCode).toBe(130);
  expect(transcript.text.replace("^C", "").trim()).toBe("");
  expect(transcript.leftovers).toEqual([]);
});
