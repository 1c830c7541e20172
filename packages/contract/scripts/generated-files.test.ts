import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { generatedFiles } from "./generated-files.ts";

test.each(Object.entries(generatedFiles()))("%s is what `pnpm generate` writes", (path, text) => {
  expect(readFileSync(new URL(`../${path}`, import.meta.url), "utf8")).toBe(text);
});
