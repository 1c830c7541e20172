export { compileRules } from "./compile-rules.ts";
export { InvalidSettingError, InvalidVisitError } from "./errors.ts";
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
