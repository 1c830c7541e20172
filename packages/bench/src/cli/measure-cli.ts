import { once } from "node:events";
import { mkdtempDisposable } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { websiteDefaults } from "@siteward/contract/plain";
import { median } from "../../../../scripts/median.ts";
import { measureInTurn } from "../measure/measure-in-turn.ts";
import { measureProcess, type ProcessCost } from "../processes/measure-process.ts";
import { type CommandLineName, commandLineNames, commandLines } from "./command-lines.ts";

/** What a command line costs. */
interface CliFigure extends ProcessCost {
  readonly name: CommandLineName;
  /** Its processor time compared with that of the empty script: the median of the rounds, each with both in turn. */
  readonly ratio: number;
}

/** A key of the right form, which the server does not check. */
const apiKey = "swk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA3Ae0o2";

/** Measures each command line, all of them in turn. */
export async function measureCli(rounds: number): Promise<readonly CliFigure[]> {
  await using server = createServer((_request, response) => response.writeHead(200, headers).end(body));
  await once(server.listen(0, "127.0.0.1"), "listening");
  // A server that listens on a TCP port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  // What Node compiles is kept in it, as it is for users.
  await using home = await mkdtempDisposable(join(tmpdir(), "siteward-bench-"));
  const { PATH } = process.env;
  const service = { SITEWARD_API_KEY: apiKey, SITEWARD_BASE_URL: `http://127.0.0.1:${port}` };
  const results = await measureInTurn(commandLineNames, { rounds, seconds: 0 }, (name) =>
    measureProcess(commandLines[name].words, { PATH, HOME: home.path, ...service }),
  );
  return commandLineNames.map((name) => ({
    name,
    cpuMs: median(results[name].map(({ cpuMs }) => cpuMs)),
    wallMs: median(results[name].map(({ wallMs }) => wallMs)),
    ratio: median(results[name].map(({ cpuMs }, round) => cpuMs / (results.empty[round]?.cpuMs ?? Number.NaN))),
  }));
}

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
