import { install } from "./install.ts";
import { runStep } from "./run-step.ts";

/** `pnpm start`: installs and builds what has changed, then serves. The first time, it creates an account and prints its key. */
// The server ends with 0 after Ctrl-C, and so does the build, or the package manager would report a failure.
const end = () => process.exit(0);
process.once("SIGINT", end);
await install("@siteward/server", "@siteward/cli");
await runStep("Building the server and the CLI", "turbo", [
  "run",
  "build",
  "--filter=@siteward/server...",
  "--filter=@siteward/cli...",
  "--output-logs=errors-only",
]);

process.off("SIGINT", end);

process.argv.splice(2, 0, "start", "--bootstrap");
// The server runs in this process, so that it gets signals itself.
await import(new URL("../apps/server/bin/siteward-server.js", import.meta.url).href);
