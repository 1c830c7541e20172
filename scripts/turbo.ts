import { runStep } from "./run-step.ts";

/** `pnpm build`, `check`, `dev` and `generate`: turbo, without the notices that it prints of itself. */
const commandLine = process.argv.slice(2);
runStep(`turbo ${commandLine.filter((word) => !word.startsWith("--")).join(" ")}`, "turbo", commandLine);
