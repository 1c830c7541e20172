import type { Edit, Outcome, Update } from "../../../src/bulk/index.ts";
import { Privacy, Siteward } from "../../../src/index.ts";
import { createFakeSiteward, type FakeSiteward } from "../../../src/testing/index.ts";

export const withPassword: { readonly privacy: typeof Privacy.Password; readonly password: string } = {
  ...{ privacy: Privacy.Password, password: "correct horse" },
};

/** Starts a fake with a website for each of these settings. */
export function create(websites: readonly object[], options: object = {}): { fake: FakeSiteward; siteward: Siteward } {
  const fake = createFakeSiteward({
    websites: websites.map((fields, at) => ({ domain: `site${at + 1}.example`, ...fields })),
  });
  return { fake, siteward: new Siteward({ ...fake.clientOptions, ...options }) };
}

/** Returns the same change of several websites of a fake. */
export function edits(ids: readonly number[], edit: Edit): Update[] {
  return ids.map((id) => ({ action: "update", id, domain: `site${id}.example`, edit }));
}

export function statesOf(outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.map(({ state }) => state);
}
