import { expect, test } from "vitest";
import type { Diagnosis } from "./examine.ts";
import { type Finding, failure, ok, skipped, warning } from "./finding.ts";
import { summarize } from "./print-diagnoses.ts";

function diagnosis(finding: Finding, dependsOn: Diagnosis["dependsOn"] = null): Diagnosis {
  return { code: "clock", dependsOn, ...finding };
}

const fine = diagnosis(ok("Fine."));
const slow = diagnosis(warning("Slow.", "Wait."));
const gone = diagnosis(failure("Gone.", "Find it."));
const unneeded = diagnosis(skipped("There is none."));
const explained = diagnosis(skipped("Not checked."), "database");

test.for([
  ["only ok", [fine, unneeded], { strict: true }, undefined],
  ["a warning", [fine, slow], {}, undefined],
  ["a warning with --strict", [fine, slow], { strict: true }, "Doctor found 0 failures and 1 warning."],
  ["a failure", [gone, slow, slow, unneeded], {}, "Doctor found 1 failure and 2 warnings."],
  [
    "a failure that explains a check",
    [gone, explained],
    {},
    "Doctor found 1 failure and 0 warnings. Not checked because of a failure: clock.",
  ],
] as const)("doctor succeeds or fails with %s", ([, diagnoses, options, summary]) => {
  expect(summarize(diagnoses, options)).toBe(summary);
});
