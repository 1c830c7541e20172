import { isApiError, type Website } from "@siteward/sdk";
import { fieldsOf, type Outcome, type Update, type Version } from "@siteward/sdk/bulk";
import { useState } from "preact/hooks";
import { complain, seenIn } from "../data/changes.ts";
import { useDesk } from "../data/session.ts";
import { keepFocus } from "../parts/focus.ts";
import { useRun } from "../parts/run.tsx";
import {
  type Faults,
  findFaults,
  rebase,
  type Settings,
  summarize,
  toDraft,
  toPassword,
  toSettings,
} from "../words/settings.ts";

/** What was read, what the form says, and what came of saving it. */
export function useForm(read: Version, onSaved: () => void) {
  const [base, setBase] = useState(read);
  const [draft, setDraft] = useState(() => toDraft(read.website));
  const [faults, setFaults] = useState<Faults>();
  const [fault, setFault] = useState("");
  /** What somebody else has made of the website meanwhile. */
  const [theirs, setTheirs] = useState<Version>();
  const run = useRun();
  const { notify } = useDesk();
  const mine = toSettings(draft);
  const edit = { set: { ...mine, ...toPassword(draft) } };

  const forgetFaults = () => {
    setFaults(undefined);
    setFault("");
    setTheirs(undefined);
  };
  const take = (version: Version, kept: Parameters<typeof setDraft>[0] = toDraft(version.website)) => {
    keepFocus();
    setBase(version);
    setDraft(kept);
    forgetFaults();
  };
  const onOutcome = (outcome: Outcome, _: number, website: Website | undefined) => {
    const { error, now } = outcome;
    const seen = seenIn(outcome);
    if (seen !== undefined) return setTheirs(seen);
    if (isApiError(error, "validation_failed")) return setFaults(error.errors);
    if (website === undefined) return setFault(complain(outcome));
    // What was typed meanwhile stays.
    take({ website, tag: now?.tag ?? "" }, (typed) => (typed === draft ? toDraft(website) : typed));
    onSaved();
  };
  const save = async () => {
    // What was said before is over.
    notify("");
    forgetFaults();
    const wrong = findFaults(draft, base.website.has_password);
    if (wrong !== undefined) return setFaults(wrong);
    const { id, domain } = base.website;
    const update: Update = { action: "update", id, domain, edit, only: base };
    const title = `Edited: ${summarize(base.website, mine).join(", ") || "new password"}`;
    await run.run([update], { verb: "changed", title }, { onOutcome, known: new Map([[id, base]]) });
  };
  const isChanged = Object.keys(fieldsOf(edit, base.website)).length > 0;
  /**
   * Puts what the form says on top of what somebody else has made of the website. Nothing is saved yet.
   *
   * @param privacy of the two, if both have changed it
   */
  const keepBoth = (version: Version, privacy?: Settings["privacy"]) => {
    const both = rebase(base.website, mine, version.website);
    take(version, { ...toDraft({ ...both, privacy: privacy ?? both.privacy }), password: draft.password });
  };
  return { base, draft, setDraft, mine, isChanged, run, faults, fault, theirs, setTheirs, take, keepBoth, save };
}
