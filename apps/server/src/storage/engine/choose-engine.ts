import { InstallationError } from "../interface/installation-error.ts";
import type { DatabaseLocation } from "./connection.ts";
import type { Engine } from "./engine.ts";

/** The supported engines, and the schemes of their URLs. A process loads only the code of the engine that it uses. */
const engines = {
  sqlite: {
    urlSchemes: ["file:"],
    load: async () => (await import("../sqlite/sqlite.ts")).sqlite,
  },
  postgres: {
    urlSchemes: ["postgres:", "postgresql:"],
    load: async () => (await import("../postgres/postgres.ts")).postgres,
  },
} as const satisfies Record<string, { readonly urlSchemes: readonly string[]; load(): Promise<Engine> }>;

export type EngineName = keyof typeof engines;

/** Chooses the engine of a URL. @throws InstallationError `invalid_url` that says which URLs are supported */
export async function chooseEngine({ databaseUrl, setting }: DatabaseLocation): Promise<Engine> {
  const found = Object.values(engines).find(({ urlSchemes }) =>
    urlSchemes.some((scheme) => databaseUrl.startsWith(scheme)),
  );
  if (found !== undefined) return found.load();
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(databaseUrl)?.[0];
  // The rest of the URL may contain a password, so the message does not quote it.
  const fault = scheme === undefined ? "has no scheme" : `has the scheme "${scheme}", which is not supported`;
  throw new InstallationError(
    "invalid_url",
    `${setting} ${fault}. Use a URL such as "file:./data/siteward.db" or "postgres://user@host/database".`,
  );
}
