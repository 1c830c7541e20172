import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { websiteDefaults } from "@siteward/contract/plain";
import { median } from "../../../../scripts/median.ts";
import { measureInTurn } from "../measure/measure-in-turn.ts";
import type { Options } from "../options.ts";
import { createCliHome } from "../processes/cli-home.ts";
import { measureProcess, type ProcessCost } from "../processes/measure-process.ts";
import { type CommandLineName, commandLines } from "./command-lines.ts";

/** What a command line costs. */
interface CliFigure extends ProcessCost {
  readonly name: CommandLineName;
  /** Its processor time compared with that of the empty script: the median of the rounds, each with both in turn. */
  readonly ratio: number;
}

/** A key of the right form, which the server does not check. */
const apiKey = "swk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA3Ae0o2";

/** Measures each command line, all of them in turn. */
export async function measureCli({ only, rounds }: Options<CommandLineName>): Promise<readonly CliFigure[]> {
  await using server = await serveWebsite();
  using home = createCliHome();
  const environment = home.environmentOf({ url: server.url, apiKey });
  const names = [...new Set<CommandLineName>(["empty", ...only])];
  const results = await measureInTurn(names, { rounds, seconds: 0 }, (name) =>
    measureProcess(commandLines[name].words(`${server.url}/api/v1/websites/7`), environment),
  );
  return names.map((name) => ({
    name,
    cpuMs: median(results[name].map(({ cpuMs }) => cpuMs)),
    wallMs: median(results[name].map(({ wallMs }) => wallMs)),
    ratio: median(results[name].map(({ cpuMs }, round) => cpuMs / (results.empty[round]?.cpuMs ?? Number.NaN))),
  }));
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
