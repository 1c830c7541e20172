import { readFileSync } from "node:fs";
import { runProgram } from "./operator/program.ts";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

// Notes and the log go to standard error; that nobody reads them any more must not end the service. A result that cannot
// be written to standard output still ends in failure: a new key would be lost with it.
process.stderr.on("error", () => undefined);

process.exitCode = await runProgram(
  process.argv.slice(2),
  {
    environment: process.env,
    print: (line) => void process.stdout.write(`${line}\n`),
    note: (line) => void process.stderr.write(`${line}\n`),
    log: (text) => void process.stderr.write(text),
    untilAskedToStop: async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      process.once("SIGTERM", () => resolve());
      process.once("SIGINT", () => resolve());
      await promise;
    },
  },
  version,
);
