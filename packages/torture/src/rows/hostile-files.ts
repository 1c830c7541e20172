import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { apiKeySecretLength, formatApiKey } from "@siteward/contract/api-key";
import { findCliBin } from "../built-cli.ts";
import { type HostileFile, hostileFiles } from "../files/hostile-files.ts";
import { type ReaderRun, runReader } from "../files/run-reader.ts";
import { hasSeenSabotage } from "../has-seen-sabotage.ts";
import type { Attack, Row } from "../row.ts";
import { toMegabytes } from "../servers/watch-memory.ts";

/** Gives the built CLI files of a stranger, by their path and as standard input. */
export const hostileFilesRow = {
  promise: "The CLI refuses a hostile file in a second, with 150 MB of memory, and says what is wrong with it.",
  engines: ["sqlite"],
  rounds: { unit: "files", default: hostileFiles.length * 2, short: 10 },
  async run(attack) {
    const folder = await attack.createFolder();
    const violations: string[] = [];
    const worst = { peakBytes: 0, cpuMs: 0 };
    for (let round = 0; round < attack.rounds; round += 1) {
      const file = hostileFiles[round % hostileFiles.length];
      if (file === undefined) break;
      // The second time, it is standard input.
      const isStdin = Math.floor(round / hostileFiles.length) % 2 === 1;
      const run = await readFileWith(attack, { folder, file, isStdin });
      violations.push(
        ...judge(file, run).map((fault) => `${file.name}${isStdin ? ", as standard input" : ""}: ${fault}`),
      );
      worst.peakBytes = Math.max(worst.peakBytes, run.peakBytes);
      worst.cpuMs = Math.max(worst.cpuMs, run.cpuMs);
      if (hasSeenSabotage(attack, violations)) break;
    }
    const peak = `${toMegabytes(worst.peakBytes)} MB`;
    return { figures: { files: attack.rounds, peak, longest: `${Math.round(worst.cpuMs)} ms` }, violations };
  },
} as const satisfies Row;

const maxPeakBytes = 150e6;
/** Twice the promise, because machines differ. Measured values are up to 430 ms. */
const maxCpuMs = 2_000;
/** The sabotage: a reader without limits. */
const bareReader = fileURLToPath(new URL("../files/bare-reader.ts", import.meta.url));

/** An import needs a key before it says what is wrong with each line. */
const anyKey = formatApiKey("A".repeat(apiKeySecretLength));

interface Given {
  readonly folder: string;
  readonly file: HostileFile;
  readonly isStdin: boolean;
}

async function readFileWith({ isSabotaged }: Attack, { folder, file, isStdin }: Given): Promise<ReaderRun> {
  const path = join(folder, `siteward.${file.extension}`);
  await writeFile(path, file.text());
  // Nothing listens there. A file must be refused before anything is sent.
  const env = { SITEWARD_CONFIG_DIR: folder, SITEWARD_BASE_URL: "http://127.0.0.1:9", SITEWARD_API_KEY: anyKey };
  const [command = "", ...options] = file.command;
  const format = command === "import" ? ["--format", file.extension === "txt" ? "list" : file.extension] : [];
  const run = isSabotaged
    ? await runReader([bareReader, path], { env })
    : await runReader([findCliBin(), command, ...options, isStdin ? "-" : path, ...format], {
        env,
        ...(isStdin && { stdin: path }),
      });
  await rm(path);
  return run;
}

function judge({ expected }: HostileFile, { exitCode, output, peakBytes, cpuMs }: ReaderRun): string[] {
  const start = output.slice(0, 200);
  return [
    ...(exitCode === 2 ? [] : [`it was not refused (exit code ${exitCode ?? "none"}): ${start}`]),
    ...(expected.test(output) ? [] : [`the message is another one: ${start}`]),
    ...(peakBytes <= maxPeakBytes ? [] : [`it took ${toMegabytes(peakBytes)} MB.`]),
    ...(cpuMs <= maxCpuMs ? [] : [`it took ${Math.round(cpuMs)} ms.`]),
  ];
}
