import { install } from "./install.ts";
import { runStep } from "./run-step.ts";

/** `pnpm build`, `check`, `dev` and `generate`: run turbo without its notices. */
await install();
const commandLine = process.argv.slice(2);
await runStep(`turbo ${commandLine.filter((word) => !word.startsWith("--")).join(" ")}`, "turbo", commandLine);
