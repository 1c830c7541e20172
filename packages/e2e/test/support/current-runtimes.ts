/**
 * The runtimes that the SDK and the CLI are tested on: each maintained line of Node, Bun and Deno. The versions are exact, so that
 * a run tells what it tested. `pnpm test:runtimes` also takes other versions of Node, for what is too old.
 */
export const currentRuntimes = ["node@22.23.3", "node@24.21.0", "node@26.10.0", "bun@1.4.5", "deno@2.9.6"] as const;
