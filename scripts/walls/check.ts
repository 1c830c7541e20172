import { fileURLToPath } from "node:url";
import { findProblems } from "./find-problems.ts";
import { walls } from "./walls.ts";

/** Part of `pnpm check`: every import is one that the table of walls permits, and the table permits nothing in vain. */
const problems = findProblems(fileURLToPath(new URL("../../", import.meta.url)), walls);
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
