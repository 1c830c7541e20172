import { countExposure, type Exposure } from "@siteward/sdk/bulk";
import { nameSome } from "../output/lists.ts";
import type { Change } from "./decide.ts";

/** Counts what changes make public, and the passwords that they delete. */
export function exposureOf(changes: readonly Change[]): Exposure {
  return countExposure(changes, (change) => (change.action === "update" ? change.only?.website : undefined));
}

const maxNamed = 10;

/** Says what is exposed: "2 websites become public (…). 1 password is deleted for good (…)." */
export function describeExposure({ created, opened, passwords }: Exposure): string {
  const sentences = [
    [created, "new website will be public", "new websites will be public"],
    [opened, "website becomes public", "websites become public"],
    [passwords, "password is deleted for good", "passwords are deleted for good"],
  ] as const;
  return sentences
    .filter(([{ length }]) => length > 0)
    .map(([domains, one, many]) => {
      const count = domains.length.toLocaleString("en-US");
      return `${count} ${domains.length === 1 ? one : many} (${nameSome(domains, maxNamed)}).`;
    })
    .join(" ");
}
