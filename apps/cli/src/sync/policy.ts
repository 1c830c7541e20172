/** What to do with a website that exists. */
export type OnConflict = "skip" | "update" | "fail";

/** How changes are carried out. The commands for several websites differ in this, and in their words. */
export interface Policy {
  readonly onConflict: OnConflict;
  /**
   * Whether the account becomes what the file says, and nothing else: a setting that the file does not state gets that
   * of a new website, and a change is sent only if the website is still as it was when the change was decided.
   */
  readonly isExact: boolean;
  /** Whether a website that is gone counts as deleted. */
  readonly acceptsMissing: boolean;
  /** What happens when one website is refused. An error that all would meet always stops the run. */
  readonly afterRefusal: "stop" | "go_on";
  /** How many changes are sent at the same time. Default: 8 */
  readonly parallel?: number;
  /** Whether to send every password. Without it, a stored one counts as unchanged. */
  readonly setsPasswords: boolean;
}

/**
 * An import adds what a file states, website by website: the others are imported although one is refused. Nobody has
 * seen what a website was before, and a password cannot be compared, so what the file states is sent.
 */
export function importPolicy(onConflict: OnConflict): Policy {
  return { onConflict, isExact: false, acceptsMissing: false, afterRefusal: "go_on", setsPasswords: true };
}

/**
 * An apply does exactly the plan that somebody has seen and agreed to: the file alone says what the account has,
 * nothing that changed after the plan is overwritten, and after the first change that cannot be done, the rest needs a
 * new plan.
 */
export function applyPolicy(setsPasswords: boolean): Policy {
  return { onConflict: "update", isExact: true, acceptsMissing: true, afterRefusal: "stop", setsPasswords };
}

/**
 * What a command line names is done in its order, and so new IDs have it too. Those that exist are named at the end.
 */
export function argumentPolicy(acceptsMissing = false): Policy {
  return { ...importPolicy("fail"), acceptsMissing, afterRefusal: "stop", parallel: 1 };
}
