import { runStep } from "./run-step.ts";

/** `pnpm start`: builds what has changed, then serves. The first time, it creates an account and prints its key. */
runStep("Building the server and the CLI", "turbo", [
  "run",
  "build",
  "--filter=@siteward/server...",
  "--filter=@siteward/cli...",
  "--output-logs=errors-only",
]);

const pnpm = "npx -y -p node@24 -p pnpm@10 pnpm --silent";
const commands = ["--cli-command", `${pnpm} siteward`, "--server-command", `${pnpm} siteward-server`];
process.argv.splice(2, 0, "start", "--bootstrap", ...commands);
// The server runs in this process, so that it gets signals itself.
await import(new URL("../apps/server/bin/siteward-server.js", import.meta.url).href);
