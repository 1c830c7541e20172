import type { Check, Patient } from "./check.ts";
import { type DoctorCode, doctorCodes } from "./codes.ts";
import { type Finding, failure, skipped } from "./finding.ts";

/** A finding, with the check that made it. */
export interface Diagnosis extends Finding {
  readonly code: DoctorCode;
  /** The check whose failure explains that this one was skipped. Null if none does. */
  readonly dependsOn: DoctorCode | null;
}

interface ExamineOptions {
  readonly checks: Readonly<Record<DoctorCode, Check>>;
  /** How long a check may take. A database that does not answer ends the connection before that. */
  readonly maxWaitMs: number;
}

/** Runs all checks, at the same time if they do not disturb each other, and returns what they found, in the order of their codes. */
export async function examine(patient: Patient, { checks, maxWaitMs }: ExamineOptions): Promise<readonly Diagnosis[]> {
  const results = new Map<DoctorCode, Promise<readonly Diagnosis[]>>();
  const resultOf = (code: DoctorCode): Promise<readonly Diagnosis[]> => {
    const known = results.get(code);
    if (known !== undefined) return known;
    const result = diagnose(code);
    results.set(code, result);
    return result;
  };
  const diagnose = async (code: DoctorCode): Promise<readonly Diagnosis[]> => {
    const check = checks[code];
    const cause = findWrongSetting(check, patient) ?? (await findCause(check, resultOf));
    if (cause !== undefined) {
      return [{ code, dependsOn: cause, ...skipped(`This was not checked, because of ${cause}.`) }];
    }
    const findings = await runInTime(check, patient, maxWaitMs);
    return findings.map((finding) => ({ code, dependsOn: null, ...finding }));
  };
  const [alone, together] = [true, false].map((isAlone) =>
    doctorCodes.filter((code) => (checks[code].isAlone ?? false) === isAlone),
  );
  await Promise.all((together ?? []).map(resultOf));
  for (const code of alone ?? []) await resultOf(code);
  return (await Promise.all(doctorCodes.map(resultOf))).flat();
}

function findWrongSetting({ settings = [] }: Check, { errors }: Patient): DoctorCode | undefined {
  return errors.some(({ variable }) => settings.some((name) => name === variable)) ? "settings" : undefined;
}

/** Returns the first failure in the chain of checks that this one needs. */
async function findCause(
  { dependsOn = [] }: Check,
  resultOf: (code: DoctorCode) => Promise<readonly Diagnosis[]>,
): Promise<DoctorCode | undefined> {
  for (const code of dependsOn) {
    const found = await resultOf(code);
    const cause = found.find((finding) => finding.dependsOn !== null)?.dependsOn;
    if (cause !== undefined && cause !== null) return cause;
    if (found.some(({ status }) => status === "failure")) return code;
  }
  return undefined;
}

async function runInTime(check: Check, patient: Patient, maxWaitMs: number): Promise<readonly Finding[]> {
  const { promise: late, resolve } = Promise.withResolvers<readonly Finding[]>();
  const timer = setTimeout(() => {
    resolve([failure(`The check did not end within ${maxWaitMs / 1000} seconds.`, "Find out what does not answer.")]);
  }, maxWaitMs);
  try {
    return await Promise.race([check.run(patient), late]);
  } catch (error) {
    return [
      failure(`The check could not be made: ${describe(error)}.`, "Correct what it names, and run doctor again."),
    ];
  } finally {
    clearTimeout(timer);
  }
}

/** A client is not told what the database said. The operator is. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
