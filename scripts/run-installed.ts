import { install } from "./install.ts";
import { runStep } from "./run-step.ts";

/** `pnpm build`, `check`, `dev`, `generate`, `format`, `changeset` …: installs what is missing, then runs a program. */
await install();
const [program = "", ...words] = process.argv.slice(2);
await runStep([program, ...words.filter((word) => !word.startsWith("--"))].join(" "), program, words);
