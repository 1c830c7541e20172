import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { openTestStorage } from "../../../test/support/storage/open-test-storage.ts";
import type { Config } from "../../config.ts";
import { listeningUrl } from "../../door/listen.ts";
import type { CommandContext } from "../command-context.ts";
import { type AnnounceOptions, announce } from "./announce.ts";

describe("what a server prints that listens on every address", () => {
  it.each(["0.0.0.0", "::"])("has only URLs that can be called, also in its commands and in JSON: %s", async (host) => {
    const printed = [];
    for (const json of [false, true]) {
      await using storage = await openTestStorage(engines.sqlite);
      const lines: string[] = [];
      const options = { bootstrap: true, json };
      await print(lines, options, { storage, host });
      printed.push(lines.join("\n"));
    }
    const [text = "", json = ""] = printed;
    const url = host === "::" ? "http://[::1]:3000" : "http://127.0.0.1:3000";
    expect(text).toContain(`listening on ${url} and on all other addresses of this machine\n`);
    expect([...text.matchAll(/https?:\/\/[^\s/]+/g)].map(([found]) => found)).toEqual([url, url, url, url]);
    expect(JSON.parse(json).url).toBe(url);
  });
});

describe("a server that speaks plain HTTP", () => {
  const options = {};

  it.each(["0.0.0.0", "::", "192.0.2.7", "siteward.example"])(
    "warns once and says what to do if other machines reach it and it trusts no proxy: %s",
    async (host) => {
      await using storage = await openTestStorage(engines.sqlite);
      const [warning = "", ...others] = await print([], options, { storage, host });
      expect(others).toEqual([]);
      expect(warning).toContain(
        `listens on ${host} and speaks plain HTTP, so anyone on the way can read the API keys.`,
      );
      expect(warning).toContain("set SITEWARD_TRUST_PROXY to the number of proxies.");
      const lines: string[] = [];
      expect(await print(lines, { ...options, json: true }, { storage, host })).toEqual([warning]);
      expect(() => JSON.parse(lines.join("\n"))).not.toThrow();
    },
  );

  it.each([
    ["0.0.0.0", 1],
    ["::", ["loopback"]],
    ["127.0.0.1", false],
    ["localhost", false],
    ["::1", false],
  ] as const)("does not warn on %s if it trusts %j", async (host, trustProxy) => {
    await using storage = await openTestStorage(engines.sqlite);
    const trusted = typeof trustProxy === "object" ? [...trustProxy] : trustProxy;
    expect(await print([], options, { storage, host, trustProxy: trusted })).toEqual([]);
  });
});

describe.skipIf(process.platform !== "linux")("the file of the first key", () => {
  it("that cannot be written once the key exists is removed, and the error says how to continue", async () => {
    await using storage = await openTestStorage(engines.postgres);
    await using folder = await mkdtempDisposable(join(tmpdir(), "siteward-"));
    const bootstrapKeyFile = join(folder.path, "first-key");
    const apiKeys: typeof storage.apiKeys = {
      ...storage.apiKeys,
      async create(...key) {
        const created = await storage.apiKeys.create(...key);
        limitFileSizes("0");
        return created;
      },
    };
    const options = { bootstrap: true, bootstrapKeyFile };
    const announced = print([], options, { storage: { ...storage, apiKeys }, host: "127.0.0.1" });
    const error = await announced.catch(String).finally(() => limitFileSizes("unlimited"));
    const [key] = await storage.apiKeys.list();
    expect(error).toContain(`The file ${bootstrapKeyFile} could not be written: EFBIG`);
    expect(error).toContain("Account 1 and its key exist. Create another key with `keys create --account 1 --name");
    expect(error).toContain(` and revoke the lost one with \`keys revoke ${key?.prefix}\`.`);
    expect(existsSync(bootstrapKeyFile)).toBe(false);
  });
});

interface Printed {
  readonly storage: Parameters<typeof announce>[2]["storage"];
  readonly host: string;
  readonly trustProxy?: Config["trustProxy"];
}

/** Limits how far this process can write into a file. */
function limitFileSizes(bytes: string): void {
  execFileSync("prlimit", ["--pid", String(process.pid), `--fsize=${bytes}:`]);
}

/** @returns the notes on standard error */
async function print(
  lines: string[],
  options: AnnounceOptions,
  { storage, host, trustProxy = false }: Printed,
): Promise<string[]> {
  const notes: string[] = [];
  const unused = () => {
    throw new Error("Announcing a server uses only standard output.");
  };
  const context: CommandContext = {
    environment: {},
    print: (line) => void lines.push(line),
    note: (line) => void notes.push(line),
    onSignal: unused,
  };
  const config = { host, publicUrl: undefined, databaseUrl: "file:./data/siteward.db", trustProxy, pages: true };
  await announce(context, options, { storage, listening: listeningUrl(host, 3000), config });
  return notes;
}
