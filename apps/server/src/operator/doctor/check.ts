import type { Config, ConfigError, SettingName } from "../../config.ts";
import type { DatabaseContents, DatabaseInspection } from "../../storage/interface/inspection.ts";
import type { RuntimeFacts } from "../io/command-context.ts";
import type { DoctorCode } from "./codes.ts";
import type { Finding } from "./finding.ts";

/** What the checks look at. What is read is read once, when the first check needs it. */
export interface Patient {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly runtime: RuntimeFacts;
  readonly config: Config;
  /** The settings that are not valid, and unknown variables. */
  readonly errors: readonly ConfigError[];
  /** @throws InstallationError `invalid_url` */
  inspection(): Promise<DatabaseInspection>;
  /** @throws InstallationError that says why the database cannot be read */
  contents(): Promise<DatabaseContents>;
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number;
}

/** One check. It changes nothing. */
export interface Check {
  /** The checks without which this one says nothing. If one of them fails, this one is skipped, and the failure is said once. */
  readonly dependsOn?: readonly DoctorCode[];
  /** The settings that it is about. If one of them is not valid, it is skipped. */
  readonly settings?: readonly SettingName[];
  /** Whether it measures something, so that nothing else may run meanwhile. */
  readonly isAlone?: boolean;
  run(patient: Patient): Promise<readonly Finding[]> | readonly Finding[];
}
