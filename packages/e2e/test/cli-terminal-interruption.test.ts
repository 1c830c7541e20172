import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltServer, startBuiltServer } from "./support/built-server.ts";
import { type CliAccount, createCliAccount } from "./support/cli-account.ts";
import { type GatedProxy, startGatedProxy } from "./support/gated-proxy.ts";
import { type CliTerminal, openCliTerminal, runInTerminal } from "./support/open-cli-terminal.ts";
import { readRealDomains } from "./support/real-domains.ts";
import { drawnLines } from "./support/screen-faults.ts";

const ctrlC = "\u0003";
const domains = readRealDomains().slice(0, 300);
/** How many websites are created before the service stops to answer. */
const answered = 100;
const parallel = 8;

let server: BuiltServer;
let folder: string;

beforeAll(async () => {
  server = await startBuiltServer();
  folder = mkdtempSync(join(tmpdir(), "siteward-e2e-"));
  writeFileSync(join(folder, "domains.txt"), domains.join("\n"));
  writeFileSync(
    join(folder, "siteward.yaml"),
    `version: 1\nwebsites:\n${domains.map((domain) => `  - ${domain}\n`).join("")}`,
  );
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

/** A service that passes on some creates, and holds back those after them. */
interface StoppingService extends GatedProxy {
  /** Waits until a create of each parallel task is held back. */
  readonly stopped: Promise<void>;
  /** Passes on what was held back, and all later requests. */
  readonly goOn: () => void;
}

async function startStoppingService(): Promise<StoppingService> {
  const [stopped, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let creates = 0;
  const proxy = await startGatedProxy(server.url, {
    before: async ({ method }) => {
      if (method !== "POST") return;
      creates += 1;
      if (creates === answered + parallel) stopped.resolve();
      if (creates > answered) await released.promise;
    },
  });
  return { ...proxy, stopped: stopped.promise, goOn: () => released.resolve() };
}

async function expectEachDomainOnce(account: CliAccount): Promise<void> {
  expect((await account.list()).map(({ domain }) => domain).toSorted()).toEqual(domains.toSorted());
}

/** Presses Ctrl-C until the CLI exits. */
async function pressUntilExit(terminal: CliTerminal): Promise<void> {
  let isOver = false;
  void terminal.exitCode.then(() => {
    isOver = true;
  });
  while (!isOver) {
    terminal.type(ctrlC);
    await sleep(50);
  }
}

describe.each([
  ["import", ["import", "domains.txt"]],
  ["apply", ["apply", "--yes"]],
] as const)("Ctrl-C in the middle of `siteward %s`", { concurrent: true }, (_name, args) => {
  test("finishes what was sent and says what is done; the same command again does the rest, each domain once", async () => {
    const account = await createCliAccount(server);
    await using service = await startStoppingService();
    using terminal = openCliTerminal(args, { env: { ...account.env, SITEWARD_BASE_URL: service.url }, folder });
    await service.stopped;
    terminal.type(ctrlC);
    await terminal.waitFor("Press Ctrl-C again");
    service.goOn();
    const transcript = await terminal.finish();
    expect(transcript.exitCode).toBe(130);
    const created = (await account.list()).length;
    expect(created).toBe(answered + parallel);
    expect(transcript.text).toContain("Interrupted");
    expect(transcript.text).toContain(`${created} created`);
    expect(transcript.text).toContain(`${domains.length - created} not tried`);
    expect(transcript.text).toMatch(/Run the (same )?command again/);
    expect(drawnLines(transcript)).toEqual([]);
    expect(transcript.leftovers).toEqual([]);

    const again = await runInTerminal(args, { env: account.env, folder });
    expect(again.exitCode).toBe(0);
    expect(again.text).toContain(`${domains.length - created} created`);
    await expectEachDomainOnce(account);
  });

  test("ends it at once the second time, although the service does not answer; the same command again does the rest", async () => {
    const account = await createCliAccount(server);
    await using service = await startStoppingService();
    using terminal = openCliTerminal(args, { env: { ...account.env, SITEWARD_BASE_URL: service.url }, folder });
    await service.stopped;
    terminal.type(ctrlC);
    await terminal.waitFor("Press Ctrl-C again");
    await pressUntilExit(terminal);
    const transcript = await terminal.finish();
    expect(transcript.exitCode).toBe(130);
    expect(drawnLines(transcript)).toEqual([]);
    expect(transcript.leftovers).toEqual([]);
    expect(transcript.text).not.toMatch(/Warning:|\n +at /);
    expect(await account.list()).toHaveLength(answered);

    expect((await runInTerminal(args, { env: account.env, folder })).exitCode).toBe(0);
    await expectEachDomainOnce(account);
  });
});

const several = domains.slice(0, 6);

describe.each([
  ["websites create", ["websites", "create", ...several], "Not tried"],
  ["websites delete", ["websites", "delete", ...several, "--yes"], "Not tried"],
  ["import", ["import", "domains.txt"], "not tried"],
  ["apply", ["apply", "--yes"], "not tried"],
] as const)("Ctrl-C while `siteward %s` waits for the rate limit", { concurrent: true }, (name, args, notTried) => {
  test("ends it at once, and what was refused is not sent again", async () => {
    const { id, siteward } = await createCliAccount(server);
    const existing = name === "websites delete" ? several : [];
    for (const domain of existing) await siteward.websites.create({ domain });
    const limit = ["--name", "cli", "--rate-limit", "3", "--json"];
    const { key } = await server.operate("keys", "create", "--account", String(id), ...limit);
    const sent: (string | undefined)[] = [];
    await using proxy = await startGatedProxy(server.url, {
      before: async ({ method }) => {
        sent.push(method);
      },
    });
    const env = { SITEWARD_API_KEY: String(key), SITEWARD_BASE_URL: proxy.url };
    using terminal = openCliTerminal(args, { env, folder });
    await terminal.waitFor("The limit of the API key is 3");
    // Everything that is sent before the wait is refused by then.
    await sleep(1_000);
    const [sentBefore, pressedMs] = [sent.length, performance.now()];
    terminal.type(ctrlC);
    const { exitCode, text } = await terminal.finish();
    expect(performance.now() - pressedMs).toBeLessThan(5_000);
    expect(exitCode).toBe(130);
    expect(text).toContain(notTried);
    expect(text).not.toContain("failed");
    expect(sent).toHaveLength(sentBefore);
  });
});

test("Ctrl-C while the service does not answer ends a command with 130, without a spinner", async () => {
  const account = await createCliAccount(server);
  const arrived = Promise.withResolvers<void>();
  await using silent = await startGatedProxy(server.url, {
    before: () => {
      arrived.resolve();
      return new Promise(() => undefined);
    },
  });
  using terminal = openCliTerminal(["websites", "list"], { env: { ...account.env, SITEWARD_BASE_URL: silent.url } });
  await arrived.promise;
  // A spinner is drawn after a second.
  await terminal.waitFor("Waiting");
  terminal.type(ctrlC);
  const transcript = await terminal.finish();
  expect(transcript.exitCode).toBe(130);
  expect(transcript.text.replace("^C", "").trim()).toBe("");
  expect(transcript.leftovers).toEqual([]);
});
