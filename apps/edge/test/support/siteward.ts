import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Siteward } from "@siteward/sdk";
import { startServer } from "@siteward/testing/servers/start-server";

/** What an edge needs to find the websites. */
export type Credentials = Readonly<Record<"SITEWARD_BASE_URL" | "SITEWARD_API_KEY", string>>;

const excluded = {
  exclude_bots: 1,
  exclude_params: ["utm_*"],
  exclude_ips: ["203.0.113.0/24", "2001:db8::/32"],
} as const;
const none = { exclude_bots: 0, exclude_params: [], exclude_ips: [] } as const;
const websites = { "shop.example": excluded, "recorder.example": excluded, "free.example": none };
let started: Promise<Credentials> | undefined;

/** Starts the built server with the websites, once for all test files of a process. No test changes them. */
export function startSiteward(): Promise<Credentials> {
  started ??= start();
  return started;
}

async function start(): Promise<Credentials> {
  const folder = mkdtempSync(join(tmpdir(), "siteward-edge-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const words = ["--bootstrap", "--bootstrap-key-file", join(folder, "key")];
  const { url: baseUrl } = await startServer(`file:${join(folder, "siteward.db")}`, { words });
  const apiKey = (await readFile(join(folder, "key"), "utf8")).trim();
  const siteward = new Siteward({ baseUrl, apiKey });
  for (const [domain, rules] of Object.entries(websites)) await siteward.websites.create({ domain, ...rules });
  return { SITEWARD_BASE_URL: baseUrl, SITEWARD_API_KEY: apiKey };
}
