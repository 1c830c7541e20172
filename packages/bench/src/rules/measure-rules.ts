import { compileRules } from "@siteward/rules";
import { median } from "../../../../scripts/median.ts";
import { measureInTurn } from "../measure/measure-in-turn.ts";
import type { Options } from "../options.ts";
import { compileBlockList, compileWithNode, loopOverEntries } from "./references.ts";
import { fullWebsite, userAgentOf, visits } from "./website.ts";

/** One thing that is measured. */
interface Part {
  readonly title: string;
  /** Whether it does the same as the first part in another way. */
  readonly reference: boolean;
  /** How many calls are made between two looks at the clock. */
  readonly batch: number;
  /** Called with ever new numbers. */
  readonly call: (number: number) => unknown;
}

/** The processor time of one call. */
export interface RulesFigure extends Pick<Part, "title" | "reference"> {
  readonly microseconds: number;
}

const rules = compileRules(fullWebsite);
const emptyRules = compileRules({ ...fullWebsite, exclude_params: [], exclude_ips: [] });
const withNode = compileWithNode(fullWebsite);
const withLoop = loopOverEntries(fullWebsite);
const ipv6Website = {
  ...fullWebsite,
  exclude_ips: fullWebsite.exclude_ips.map((_, index) => `2001:db8:${index.toString(16)}:1::${index.toString(16)}`),
};

const parts = {
  rules: { title: "judge: rules", reference: false, batch: 1000, call: (number) => rules.judge(visitAt(number)) },
  node: {
    title: "judge: BlockList, URL, Set",
    reference: true,
    batch: 100,
    call: (number) => withNode(visitAt(number)),
  },
  loop: {
    title: "judge: loop over the entries",
    reference: true,
    batch: 1,
    call: (number) => withLoop(visitAt(number)),
  },
  "no-entries": {
    title: "judge: rules without entries",
    reference: false,
    batch: 1000,
    call: (number) => emptyRules.judge(visitAt(number)),
  },
  "new-agents": {
    title: "judge: ever new user agents",
    reference: false,
    batch: 100,
    call: (number) => rules.judge({ ...visitAt(number), userAgent: userAgentOf(number) }),
  },
  "new-bots": {
    title: "judge: ever new bots",
    reference: false,
    batch: 10,
    call: (number) => rules.judge({ ...visitAt(number), userAgent: `${userAgentOf(number)} Wappalyzer/${number}` }),
  },
  compile: { title: "compile: rules", reference: false, batch: 1, call: () => compileRules(fullWebsite) },
  "compile-ipv6": {
    title: "compile: rules, 500 IPv6 addresses",
    reference: false,
    batch: 1,
    call: () => compileRules(ipv6Website),
  },
  "compile-node": {
    title: "compile: BlockList alone",
    reference: false,
    batch: 1,
    call: () => compileBlockList(fullWebsite.exclude_ips),
  },
} satisfies Record<string, Part>;

export type PartName = keyof typeof parts;

// The type of the result of `keys` does not name them.
export const partNames = Object.keys(parts) as readonly PartName[];

/** Measures the parts in turn, in this process. */
export async function measureRules(options: Options<PartName>): Promise<RulesFigure[]> {
  let number = 0;
  const results = await measureInTurn(options.only, options, async (name, seconds) => {
    const { batch, call }: Part = parts[name];
    const first = number;
    const before = process.cpuUsage();
    const endAtMs = performance.now() + seconds * 1000;
    while (performance.now() < endAtMs) {
      for (const last = number + batch; number < last; number += 1) call(number);
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / (number - first);
  });
  return options.only.map((name) => {
    const { title, reference } = parts[name];
    return { title, reference, microseconds: median(results[name]) };
  });
}

function visitAt(number: number) {
  const visit = visits[number % visits.length];
  if (visit === undefined) throw new Error("There is no visit.");
  return visit;
}
