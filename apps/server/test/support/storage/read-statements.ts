import { globSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { vi } from "vitest";
import type { EngineName } from "../../../src/storage/engine/choose-engine.ts";
import { engines } from "../engines.ts";

/**
 * Returns every text in the templates of SQL in the sources of a folder that an engine runs: what stands between their parts and
 * values. A text that is misspelt is another one, so it fails or was never run. A short one may be in other statements too.
 */
export function readTexts(folder: string, engine: EngineName): string[] {
  const own = new RegExp(`/(${Object.keys(engines).join("|")})/`);
  const files = globSync(`${folder}/**/*.ts`).filter(
    (file) => !file.endsWith(".test.ts") && (own.exec(file)?.[1] ?? engine) === engine,
  );
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
/** A value, or of a change the row of a step before. Engines have `?1` or `$1` there. */
const values = /(?<!:):(?!:)[\w.]*|\{(?:(?:from|after) )?[\w.\0]+\}|[?$]\d*/g;

function toTexts(statement: string): string[] {
  return statement
    .replace(/\s+/g, " ")
    .replace(values, place)
    .split(place)
    .map((text) => text.trim());
}

/** Notes every statement that this process sends to an engine, until it is disposed of. */
export function noteStatements() {
  const spies = {
    sqlite: [vi.spyOn(DatabaseSync.prototype, "prepare"), vi.spyOn(DatabaseSync.prototype, "exec")],
    postgres: [vi.spyOn(pg.Client.prototype, "query")],
  };
  return {
    /** Returns those of the texts that no statement for the engine contained. */
    findOthers(engine: EngineName, texts: readonly string[]): string[] {
      const queries = spies[engine].flatMap((spy): readonly unknown[][] => spy.mock.calls).map(([query]) => query);
      const statements = queries.map((query) =>
        typeof query === "object" && query !== null && "text" in query ? query.text : query,
      );
      const all = [...new Set(statements)].map((text) => toTexts(String(text)).join(place)).join(place);
      return texts.filter((text) => !all.includes(text));
    },
    [Symbol.dispose]() {
      for (const spy of Object.values(spies).flat()) spy.mockRestore();
    },
  };
}
