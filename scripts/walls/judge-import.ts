import { judgeModule } from "./judge-module.ts";
import { judgePath } from "./judge-path.ts";
import { isConfig, isTest } from "./list-sources.ts";
import type { Import } from "./read-imports.ts";
import type { Tree } from "./read-tree.ts";
import { resolveImport } from "./resolve-import.ts";
import type { Rules, Verdict } from "./verdict.ts";

/** Decides whether a file may import what it does. */
export function judgeImport(from: string, imported: Import, rules: Rules, tree: Tree): Verdict {
  const { name, kind } = imported;
  const isFree = isTest(from) || isConfig(from);
  if (isFree && isOwnMatter(imported)) return {};
  // To find a computed place loads nothing.
  if (name === undefined) return kind === "resolve" ? {} : { problem: computed };
  if (kind === "global") return judgeModule(from, name === "process" ? "node:process" : name, rules);
  const target = resolveImport(from, name, tree);
  if ("file" in target) return { file: target.file, ...judgePath(from, target.file, kind, rules, tree) };
  if (kind === "address") return {};
  const verdict = "module" in target && !isFree ? judgeModule(from, target.module, rules) : {};
  return verdict.problem === undefined && target.wrong !== undefined ? { problem: target.wrong } : verdict;
}

const computed =
  "loads a module whose name is computed, or by a function that is passed on. Name it in a plain string, in the call.";

/** Tests and configurations use any global, and start what was built. */
function isOwnMatter({ name, kind }: Import): boolean {
  return kind === "global" || kind === "resolve" || (kind === "require" && name === undefined);
}
