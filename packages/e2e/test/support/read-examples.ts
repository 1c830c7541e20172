import { readFileSync } from "node:fs";

/** Returns the TypeScript examples of a page, or of the part before a heading, as one program. Empty if it has none. */
export function readExamples(page: string, before?: string): string {
  const text = readFileSync(page, "utf8");
  const [part = ""] = before === undefined ? [text] : text.split(`\n${before}\n`);
  return [...part.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code).join("\n");
}
