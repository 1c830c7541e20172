export { compileRules } from "./compile-rules.ts";
export { InvalidSettingError } from "./errors/invalid-setting-error.ts";
export { InvalidVisitError } from "./errors/invalid-visit-error.ts";
export type {
  CountedHosts,
  CountedVerdict,
  ExcludedVerdict,
  ExclusionReason,
  RuleOptions,
  RuleSettings,
  Rules,
  Verdict,
  Visit,
} from "./rules.ts";
