import { runStep } from "./run-step.ts";

/** `pnpm start`: builds what has changed, then serves; the first time it makes an account and prints its key. */
runStep("Building the server and the terminal tool", "turbo", [
  "run",
  "build",
  "--filter=@siteward/server...",
  "--filter=@siteward/cli...",
  "--output-logs=errors-only",
]);

const cliCommand = "npx -y -p node@24 -p pnpm@10 pnpm --silent siteward";
process.argv.splice(2, 0, "start", "--bootstrap", "--cli-command", cliCommand);
// The server takes this process over, so that signals reach it and not a parent.
await import(new URL("../apps/server/bin/siteward-server.js", import.meta.url).href);
