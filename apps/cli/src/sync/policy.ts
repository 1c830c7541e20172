/** What to do with a website that exists. */
export type OnConflict = "skip" | "update" | "fail";

/** How a command makes the account like a file. Import and apply differ in this, and in their words. */
export interface Policy {
  readonly onConflict: OnConflict;
  /** Which value a setting has that the file does not state: that of a new website, or the one that the website has. */
  readonly unstated: "default" | "kept";
  /** Whether to send every password. Without it, a stored password counts as right, since it cannot be read. */
  readonly setsPasswords: boolean;
  /** Whether to delete the websites that are not in the file. */
  readonly isPruned: boolean;
  /** Whether a change is sent only if the website is still as it was when the change was decided. */
  readonly isExact: boolean;
  /** What happens when one website is refused. An error that every website would meet always stops the run. */
  readonly afterRefusal: "stop" | "go_on";
  /** What to say of a website that would be protected by a password that the file does not name. */
  readonly missingPassword: string;
}

/**
 * An import adds what a file states, website by website: the others are imported although one is refused. Nobody has
 * seen what a website was before, and a password cannot be compared, so what the file states is sent.
 */
export function importPolicy(onConflict: OnConflict): Policy {
  return {
    onConflict,
    unstated: "kept",
    setsPasswords: true,
    isPruned: false,
    isExact: false,
    afterRefusal: "go_on",
    missingPassword: "password is required if privacy is password; add password_env or password_file",
  };
}

/**
 * An apply does exactly the plan that somebody has seen and agreed to: the file alone says what the account has,
 * nothing that changed after the plan is overwritten, and after the first change that cannot be done, the rest needs a
 * new plan.
 */
export function applyPolicy(flags: Pick<Policy, "isPruned" | "setsPasswords">): Policy {
  return {
    ...flags,
    onConflict: "update",
    unstated: "default",
    isExact: true,
    afterRefusal: "stop",
    missingPassword: `privacy: password requires a password. ${nameItsSource}`,
  };
}

const nameItsSource = "Add password_env, the name of an environment variable, or password_file, the path of a file";
