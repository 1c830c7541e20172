import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The words of one call of a program. The first is its name. */
export type Call = readonly string[];

const programs = ["siteward", "siteward-server", "curl", "jq", "node", "npm", "npx", "pnpm", "sh"];

/**
 * Each program is a function that writes its words to a file. The shell finds no others, so nothing runs. A pipe may write from several
 * processes, so one call is one write. A call in the background is waited for.
 */
const recorder = `
record() { printf '%s\\0' "$number" "$#" "$@" >> "$RECORDS"; }
for name in ${programs.join(" ")}; do eval "$name() { record $name \\"\\$@\\"; }"; done
number=0
while IFS= read -r -d '' line <&3; do
  ( eval "$line"; wait ) < /dev/null > /dev/null 2>&1 3<&-
  number=$((number + 1))
done 3< "$LINES_FILE"
`;

/** Returns which programs the command lines call, and with which words, as the shell reads them. Calls nothing. */
export function splitLines(lines: readonly string[], folderOfFiles: string): readonly (readonly Call[])[] {
  const folder = mkdtempSync(join(tmpdir(), "siteward-split-"));
  try {
    const [records, linesFile] = [join(folder, "records"), join(folder, "lines")];
    writeFileSync(records, "");
    writeFileSync(linesFile, lines.map((line) => `${line}\0`).join(""));
    const env = { PATH: "", HOME: folderOfFiles, RECORDS: records, LINES_FILE: linesFile };
    const { status, stderr } = spawnSync("/bin/bash", ["-c", recorder], { cwd: folderOfFiles, env, encoding: "utf8" });
    if (status !== 0) throw new Error(`The shell ended with ${status}:\n${stderr}`);
    return readRecords(readFileSync(records, "utf8"), lines.length);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A record is the number of the line, the number of words, and the words. */
function readRecords(text: string, count: number): readonly (readonly Call[])[] {
  const calls: Call[][] = Array.from({ length: count }, () => []);
  const words = text.split("\0");
  let index = 0;
  while (index < words.length - 1) {
    const end = index + 2 + Number(words[index + 1]);
    calls[Number(words[index])]?.push(words.slice(index + 2, end));
    index = end;
  }
  return calls;
}
