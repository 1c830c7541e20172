import { readFileSync } from "node:fs";
import { getCompileCacheDir } from "node:module";
import { userInfo } from "node:os";
import { isatty } from "node:tty";
import { fileURLToPath } from "node:url";
import { askOnTerminal } from "./operator/io/ask-on-terminal.ts";
import { readOperatorName } from "./operator/io/read-operator-name.ts";
import { findServiceManager } from "./operator/io/service-manager-link.ts";
import { runProgram } from "./operator/program.ts";
import { openProcessCluster } from "./workers/process-cluster.ts";

const commandLine = process.argv.slice(2);
const hadTerminal = process.stderr.isTTY;
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

// Notes and the log go to standard error. If nobody reads them any more, the service must continue.
process.stderr.on("error", () => undefined);
process.stdout.on("error", endWithLostResult);

process.exitCode = await runProgram(commandLine, {
  version,
  ownProcess: process,
  environment: process.env,
  print: (line) => void process.stdout.write(`${line}\n`),
  untilPrinted: () => new Promise((resolve) => process.stdout.write("", () => resolve())),
  ...(process.stderr.isTTY ? { redraw: (line) => void process.stderr.write(`\r\u001b[K${line}`) } : {}),
  note: (line) => void process.stderr.write(`${line}\n`),
  ...(isatty(0) && process.stderr.isTTY
    ? { ask: (question) => askOnTerminal(question, process.stdin, process.stderr) }
    : {}),
  readInput: () => process.stdin,
  operatorName: () => readOperatorName(userInfo, process.getuid?.()),
  runtime: {
    userId: process.geteuid?.(),
    nodeVersion: process.versions.node,
    compileCacheFolder: getCompileCacheDir(),
  },
  log: (text) => void process.stderr.write(text),
  isLogOnTerminal: hadTerminal,
  onSignal: (signal, listener) => {
    process.on(signal, listener);
    return () => process.off(signal, listener);
  },
  // A terminal that was closed is no longer a terminal.
  isTerminalClosed: () => hadTerminal && !isatty(process.stderr.fd),
  serviceManager: findServiceManager(process.env, process.pid),
  openCluster: () =>
    openProcessCluster({ program: fileURLToPath(import.meta.url), commandLine, environment: process.env }),
});
// The channel between a worker and its primary must not keep alive a process whose program has ended.
process.channel?.unref();

/** A result that cannot be written is a failure, because a new key would be lost with it. */
function endWithLostResult(error: Error): void {
  process.stderr.write(`The result could not be written to standard output: ${error.message}.\n`);
  process.exit(1);
}
