import type { Importer } from "./importer.ts";

/** Every service whose sites can be imported. An importer is loaded when it is used. */
export const importers = {
  plausible: async () => (await import("./plausible.ts")).plausible,
  matomo: async () => (await import("./matomo.ts")).matomo,
  umami: async () => (await import("./umami.ts")).umami,
} as const satisfies Record<string, () => Promise<Importer>>;

/** The name of a service whose sites can be imported. */
export type ImporterName = keyof typeof importers;
