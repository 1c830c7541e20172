import { globSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { vi } from "vitest";

/**
 * Returns every text in the templates of SQL in the sources of a folder: what stands between their parts and values. A text that is
 * misspelt is another one, so it fails or was never run.
 */
export function readTexts(folder: string): string[] {
  const files = globSync(`${folder}/**/*.ts`).filter((file) => !file.endsWith(".test.ts"));
  return files.flatMap((file) => findTexts(readFileSync(file, "utf8")));
}

/** Takes the templates out of the source, those within the parts of others first. */
function findTexts(source: string): string[] {
  const texts: string[] = [];
  let rest = source;
  for (let before = ""; before !== rest; ) {
    before = rest;
    rest = rest
      .replace(/\$\{(?:[^{}`]|\{[^{}`]*\})*\}/g, place)
      .replace(/(?<!\w)sql`((?:[^`$]|\$(?!\{))*)`/g, (_, text) => `ours${texts.push(...toTexts(text))}`);
  }
  const [, missed] = rest.split(/(?<!\w)sql`/);
  if (missed !== undefined) throw new Error(`A template is not understood: ${missed.slice(0, 100)}`);
  return texts;
}

const place = "\u0000";
/** A value, or of a change the row of a step before. Engines have `?` or `$1` there. */
const values = /(?<!:):(?!:)[\w.]*|\{(?:(?:from|after) )?[\w.\0]+\}|\?|\$\d+/g;

function toTexts(statement: string): string[] {
  return statement
    .replace(/\s+/g, " ")
    .replace(values, place)
    .split(place)
    .map((text) => text.trim());
}

/** Notes every statement that this process sends to an engine, until it is disposed of. */
export function noteStatements() {
  const statements = new Set<string>();
  const note = (text: unknown) => void statements.add(toTexts(String(text)).join(place));
  const spies = [
    vi.spyOn(DatabaseSync.prototype, "prepare"),
    vi.spyOn(DatabaseSync.prototype, "exec"),
    vi.spyOn(pg.Client.prototype, "query"),
  ];
  return {
    /** Returns those of the texts that no statement contained. */
    findOthers(texts: readonly string[]): string[] {
      for (const [query] of spies.flatMap((spy): readonly unknown[][] => spy.mock.calls))
        note(typeof query === "object" && query !== null && "text" in query ? query.text : query);
      const all = [...statements].join(place);
      return texts.filter((text) => !all.includes(text));
    },
    [Symbol.dispose]() {
      for (const spy of spies) spy.mockRestore();
    },
  };
}
