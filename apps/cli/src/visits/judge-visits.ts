import type { CountedHosts, Verdict } from "@siteward/rules";
import type { Website } from "@siteward/sdk";

/** A visit as a command line or a line of NDJSON states it. */
export interface StatedVisit {
  readonly url: unknown;
  /** Not compared with `exclude_ips` if it is undefined. */
  readonly ip?: unknown;
  /** Not judged by `exclude_bots` if it is undefined. Empty if the visitor sent none, which only bots do. */
  readonly user_agent?: unknown;
}

/** The name of a field of a visit. */
export type VisitField = keyof StatedVisit;

/** A verdict, or what is wrong with a field of the visit, without its name: "is missing; send …". */
export type Judgement = Verdict | { readonly field: VisitField; readonly fault: string };

/** Judges visits of one website. */
export type Judge = (visit: StatedVisit) => Judgement;

/** Compiles the rules of a website. Loads the library of the rules. */
export async function createJudge(website: Website, hosts: CountedHosts): Promise<Judge> {
  const { compileRules, InvalidVisitError } = await import("@siteward/rules");
  const rules = compileRules(website, { hosts });
  // The library judges a visit without a user agent as one of a bot, which a person who does not name one did not ask.
  const withoutBots = compileRules({ ...website, exclude_bots: 0 }, { hosts });
  return ({ url, ip, user_agent }) => {
    try {
      // The library checks the types, since the fields can come from a file.
      const visit = { url, ip, userAgent: user_agent } as Parameters<typeof rules.judge>[0];
      return (user_agent === undefined ? withoutBots : rules).judge(visit);
    } catch (error) {
      if (!(error instanceof InvalidVisitError)) throw error;
      const { field, message } = error;
      // The message begins with the field, and ends with a period.
      const fault = message.slice(field.length + 1).replace(/\.$/, "");
      return { field: field === "userAgent" ? "user_agent" : field, fault };
    }
  };
}
