import { expect, it } from "vitest";
import { describeOnEveryDatabase } from "../../../test/support/engines.ts";
import { openTestStorage } from "../../../test/support/storage/open-test-storage.ts";
import { listeningUrl } from "../../door/sockets/listen.ts";
import type { CommandContext } from "../io/command-context.ts";
import { type AnnounceOptions, announce } from "./announce.ts";

describeOnEveryDatabase("what a server prints that listens on every address", (engine) => {
  it.each(["0.0.0.0", "::"])("has only URLs that can be called, also in its commands and in JSON: %s", async (host) => {
    const printed = [];
    for (const json of [false, true]) {
      await using storage = await openTestStorage(engine);
      const lines: string[] = [];
      const options = { bootstrap: true, json, cliCommand: "siteward", serverCommand: "siteward-server" };
      await print(lines, options, { storage, host });
      printed.push(lines.join("\n"));
    }
    const [text = "", json = ""] = printed;
    const url = host === "::" ? "http://[::1]:3000" : "http://127.0.0.1:3000";
    expect(text).toContain(`listening on ${url} and on all other addresses of this machine\n`);
    expect([...text.matchAll(/https?:\/\/[^\s/]+/g)].map(([found]) => found)).toEqual([url, url, url]);
    expect(JSON.parse(json).url).toBe(url);
  });
});

async function print(
  lines: string[],
  options: AnnounceOptions,
  { storage, host }: { storage: Parameters<typeof announce>[2]["storage"]; host: string },
): Promise<void> {
  const unused = () => {
    throw new Error("Announcing a server uses only standard output.");
  };
  const context: CommandContext = {
    environment: {},
    print: (line) => void lines.push(line),
    note: unused,
    log: unused,
    isLogOnTerminal: false,
    untilPrinted: async () => undefined,
    readInput: unused,
    operatorName: () => "tester",
    onSignal: unused,
    isTerminalClosed: unused,
    openCluster: unused,
  };
  const config = { host, publicUrl: undefined, databaseUrl: "file:./data/siteward.db" };
  await announce(context, options, { storage, listening: listeningUrl(host, 3000), config });
}
