import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { websiteDefaults } from "@siteward/contract/website-fields";
import { median } from "../../../../scripts/median.ts";
import { measureInTurn } from "../measure/measure-in-turn.ts";
import type { Options } from "../options.ts";
import { type CommandLineName, commandLines } from "./command-lines.ts";

/** What a command line costs. */
interface CliFigure extends ProcessCost {
  readonly name: CommandLineName;
  /** Its processor time compared with that of the empty script: the median of the rounds, each with both in turn. */
  readonly ratio: number;
}

/** A key of the right form, which the server does not check. */
const apiKey = "swk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA3Ae0o2";

/** Measures each command line, all of them in turn. What Node compiles is kept between the runs, as it is for users. */
export async function measureCli({ only, rounds }: Options<CommandLineName>): Promise<readonly CliFigure[]> {
  await using server = await serveWebsite();
  using home = createHome();
  const { PATH } = process.env;
  const env = { PATH, HOME: home.path, SITEWARD_API_KEY: apiKey, SITEWARD_BASE_URL: server.url };
  const names = [...new Set<CommandLineName>(["empty", ...only])];
  const results = await measureInTurn(names, { rounds, seconds: 0 }, (name) =>
    measureProcess(commandLines[name].words(`${server.url}/api/v1/websites/7`), env),
  );
  return names.map((name) => ({
    name,
    cpuMs: median(results[name].map(({ cpuMs }) => cpuMs)),
    wallMs: median(results[name].map(({ wallMs }) => wallMs)),
    ratio: median(results[name].map(({ cpuMs }, round) => cpuMs / (results.empty[round]?.cpuMs ?? Number.NaN))),
  }));
}

function createHome(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "siteward-bench-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** What a process used from its start to its end. */
interface ProcessCost {
  /** In user mode and in the kernel, of all threads. */
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** Bash is what measures a process that has ended in milliseconds: Node measures only itself, and `/proc` counts in 10 ms. */
const measured = `TIMEFORMAT="%3U %3S %3R"; time "$@" > /dev/null`;

/** Runs a Node program to its end. @throws if it fails */
async function measureProcess(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<ProcessCost> {
  const { stderr } = await promisify(execFile)("bash", ["-c", measured, "bash", process.execPath, ...words], {
    env: environment,
  });
  const [user = Number.NaN, system = Number.NaN, wall = Number.NaN] = stderr.trim().split(" ").map(Number);
  if (Number.isNaN(user + system + wall)) throw new Error(`${words.join(" ")} printed ${stderr}`);
  return { cpuMs: (user + system) * 1_000, wallMs: wall * 1_000 };
}

/** A server that answers every request with one website. */
interface WebsiteServer extends AsyncDisposable {
  readonly url: string;
}

const { privacy, ...otherSettings } = websiteDefaults;
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

/** Starts the server on a free loopback port. */
async function serveWebsite(): Promise<WebsiteServer> {
  const server = createServer((_request, response) => response.writeHead(200, headers).end(body));
  await once(server.listen(0, "127.0.0.1"), "listening");
  // A server that listens on a TCP port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
