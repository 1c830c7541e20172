import { once } from "node:events";
import { mkdtempDisposable } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { websiteDefaults } from "@siteward/contract/plain";
import { cliBin } from "@siteward/testing/servers/built-programs";
import { formatMs, formatRatio } from "./format.ts";
import { measureInTurn, median } from "./measure/measure-in-turn.ts";
import { printTable } from "./print-table.ts";
import { measureProcess } from "./processes/measure-process.ts";

/** A Node program that is started and runs to its end. */
interface CommandLine {
  readonly title: string;
  /** The arguments of Node. */
  readonly words: readonly string[];
  /** How many times the processor time of an empty script it may take. */
  readonly limit: number;
}

/** A script to compare with, and commands of the CLI. */
const commandLines: readonly CommandLine[] = [
  { title: "empty script", words: [fileURLToPath(new URL("empty.cjs", import.meta.url))], limit: 1 },
  { title: "siteward --version", words: [cliBin, "--version"], limit: 1.5 },
  { title: "siteward --help", words: [cliBin, "--help"], limit: 1.3 },
  { title: "siteward websites get 7", words: [cliBin, "websites", "get", "7"], limit: 2.5 },
  // Below 120 ms on a machine that takes 34 ms for an empty script.
  { title: "Tab", words: [cliBin, "__complete", "zsh", "websites", "list", "--s"], limit: 3.5 },
];
const rounds = 21;
/** A key of the right form, which the server does not check. */
const apiKey = "swk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA3Ae0o2";
const { privacy, ...otherSettings } = websiteDefaults;
/** The answer to every request. */
const body = JSON.stringify({
  data: {
    id: 7,
    domain: "example.com",
    privacy,
    has_password: false,
    ...otherSettings,
    created_at: "2026-01-15T10:15:00.000Z",
    updated_at: "2026-01-15T10:15:00.000Z",
  },
});
const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body), etag: '"7-1"' };

/** `pnpm bench cli`: compares what a command of the CLI costs, from start to end, with an empty Node script. */
await using server = createServer((_request, response) => response.writeHead(200, headers).end(body));
await once(server.listen(0, "127.0.0.1"), "listening");
// A server that listens on a TCP port has an AddressInfo.
const { port } = server.address() as AddressInfo;
// What Node compiles is kept in it, as it is for users.
await using home = await mkdtempDisposable(join(tmpdir(), "siteward-bench-"));
const { PATH } = process.env;
const env = { PATH, HOME: home.path, SITEWARD_API_KEY: apiKey, SITEWARD_BASE_URL: `http://127.0.0.1:${port}` };
const results = await measureInTurn(commandLines, ({ words }) => measureProcess(words, env), { rounds, seconds: 0 });
console.log(`\nProcessor time of a command, from start to end (medians of ${rounds} runs in turn)`);
printTable(
  ["Command", "CPU ms", "compared with empty", "at most", "ms"],
  commandLines.map(({ title, limit }, index) => {
    const costs = results[index] ?? [];
    const cpuMs = median(costs.map((cost) => cost.cpuMs));
    // Each round has both in turn.
    const ratio = median(costs.map((cost, round) => cost.cpuMs / (results[0]?.[round]?.cpuMs ?? Number.NaN)));
    const wallMs = median(costs.map((cost) => cost.wallMs));
    return [title, formatMs(cpuMs), formatRatio(ratio), formatRatio(limit), formatMs(wallMs)];
  }),
);
