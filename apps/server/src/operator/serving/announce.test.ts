import { expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { openTestStorage } from "../../../test/support/storage/open-test-storage.ts";
import type { Config } from "../../config.ts";
import { listeningUrl } from "../../door/listen.ts";
import type { CommandContext } from "../command-context.ts";
import { type AnnounceOptions, announce } from "./announce.ts";

it("a server that listens on every address prints only URLs that can be called, also in its commands and in JSON", async () => {
  const printed = [];
  for (const json of [false, true]) {
    await using storage = await openTestStorage(engines.sqlite);
    const lines: string[] = [];
    await print(lines, { bootstrap: true, json }, { storage, host: "::" });
    printed.push(lines.join("\n"));
  }
  const [text = "", json = ""] = printed;
  const url = "http://[::1]:3000";
  expect(text).toContain(`listening on ${url} and on all other addresses of this machine\n`);
  expect([...text.matchAll(/https?:\/\/[^\s/]+/g)].map(([found]) => found)).toEqual([url, url, url, url]);
  expect(JSON.parse(json).url).toBe(url);
});

it("a server that other machines reach and that trusts no proxy warns once, and says what to do", async () => {
  await using storage = await openTestStorage(engines.sqlite);
  const lines: string[] = [];
  const [warning = "", ...others] = await print(lines, { json: true }, { storage, host: "192.0.2.7" });
  expect(others).toEqual([]);
  expect(warning).toContain("listens on 192.0.2.7 and speaks plain HTTP, so anyone on the way can read the API keys.");
  expect(warning).toContain("set SITEWARD_TRUST_PROXY to the number of proxies.");
  expect(() => JSON.parse(lines.join("\n"))).not.toThrow();
  expect(await print([], {}, { storage, host: "192.0.2.7", trustProxy: 1 })).toEqual([]);
  expect(await print([], {}, { storage, host: "localhost" })).toEqual([]);
});

interface Printed {
  readonly storage: Parameters<typeof announce>[2]["storage"];
  readonly host: string;
  readonly trustProxy?: Config["trustProxy"];
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
