import { describe, expect, test } from "vitest";
import { mapConcurrently } from "./support/map-concurrently.ts";
import { runInTerminal } from "./support/open-cli-terminal.ts";
import { runBuiltCli } from "./support/run-built-cli.ts";
import { unfittingLines } from "./support/screen-faults.ts";

/** Returns the words of each command and group, as the help of the CLI lists them. */
async function listCommands(words: readonly string[] = []): Promise<readonly (readonly string[])[]> {
  const { stdout } = await runBuiltCli([...words, "--help"], {});
  const [, section = ""] = /\nCommands:\n([\s\S]*?)(?:\n\n|$)/.exec(stdout) ?? [];
  const names = [...section.matchAll(/^ {2}([a-z]+)\b/gm)]
    .map(([, name = ""]) => name)
    .filter((name) => name !== "help");
  const below = await Promise.all(names.map((name) => listCommands([...words, name])));
  return [words, ...below.flat()];
}

const commands = await listCommands();

test("the help lists every command", () => {
  const found = commands.map((words) => words.join(" "));
  expect(found).toEqual(expect.arrayContaining(["", "login", "websites", "websites update", "import", "apply", "api"]));
  expect(found.length).toBeGreaterThan(20);
});

describe.each([40, 60, 80, 100, 200])("at %i columns", { concurrent: true }, (columns) => {
  test("the help of every command breaks its lines between words, and leaves the terminal as it was", async () => {
    const transcripts = await mapConcurrently(commands, 2, (words) => runInTerminal([...words, "--help"], { columns }));
    for (const [index, transcript] of transcripts.entries()) {
      const name = `siteward ${commands[index]?.join(" ")} --help`;
      expect(
        unfittingLines(transcript).filter((line) => !isToCopy(line)),
        name,
      ).toEqual([]);
      expect(transcript.text, name).toContain("Usage:");
      expect(transcript.text, name).toContain("Examples:");
      expect({ exitCode: transcript.exitCode, leftovers: transcript.leftovers }, name).toEqual({
        exitCode: 0,
        leftovers: [],
      });
    }
  });
});

/** An indented line with a command or a file is in one piece, so that it can be copied. */
function isToCopy(line: string): boolean {
  return /^ {2}.*(?:\bsiteward |~\/|# )/.test(line);
}
