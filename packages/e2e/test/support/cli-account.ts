import { Siteward, type Website } from "@siteward/sdk";
import type { BuiltServer } from "./built-server.ts";

/** An account of a built server, for runs of the CLI. */
export interface CliAccount {
  readonly id: number;
  readonly siteward: Siteward;
  /** The environment of a CLI that uses the account. */
  readonly env: Readonly<Record<"SITEWARD_API_KEY" | "SITEWARD_BASE_URL", string>>;
  /** Returns all websites, by ID. */
  readonly list: () => Promise<Website[]>;
}

/** Creates an account. */
export async function createCliAccount(server: BuiltServer): Promise<CliAccount> {
  const { id, apiKey } = await server.createAccount();
  const siteward = new Siteward({ apiKey, baseUrl: server.url });
  return {
    id,
    siteward,
    env: { SITEWARD_API_KEY: apiKey, SITEWARD_BASE_URL: server.url },
    list: () => siteward.websites.list({ sort: "asc", per_page: 100 }).toArray({ limit: 20_000 }),
  };
}
