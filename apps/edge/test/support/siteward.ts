import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Siteward } from "@siteward/sdk";
import { startServer } from "@siteward/testing/servers/start-server";

const ips = ["203.0.113.0/24", "2001:db8::/32"];
const excluded = { exclude_bots: 1, exclude_params: ["utm_*"], exclude_ips: ips } as const;
const none = { exclude_bots: 0, exclude_params: [], exclude_ips: [] } as const;
const websites = { "shop.example": excluded, "recorder.example": excluded, "free.example": none };

/** Starts the built server, with the websites. */
export async function startSiteward() {
  const folder = await mkdtemp(join(tmpdir(), "siteward-edge-"));
  const words = ["--bootstrap", "--bootstrap-key-file", join(folder, "key")];
  const server = await startServer(`file:${join(folder, "siteward.db")}`, { words });
  const apiKey = (await readFile(join(folder, "key"), "utf8")).trim();
  const siteward = new Siteward({ baseUrl: server.url, apiKey });
  for (const [domain, rules] of Object.entries(websites)) await siteward.websites.create({ domain, ...rules });
  return {
    credentials: { SITEWARD_BASE_URL: server.url, SITEWARD_API_KEY: apiKey },
    async [Symbol.asyncDispose]() {
      await server.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
