import type { WebsiteChange } from "./mirrored-website.ts";
import type { WebsiteState } from "./website-state.ts";

/** Returns what is different in a state that replaces another one. Deletions come first. */
export function* compareStates(before: WebsiteState, after: WebsiteState): Generator<WebsiteChange, void, undefined> {
  for (const website of before.values()) {
    if (after.byId(website.id) === undefined) yield { kind: "deleted", website, before: website };
  }
  for (const website of after.values()) {
    const earlier = before.byId(website.id);
    // A website that is the same in both is one object.
    if (earlier !== website) yield { kind: earlier === undefined ? "created" : "updated", website, before: earlier };
  }
}
