import { isApiError, type Website } from "@siteward/sdk";
import { fieldsOf, type Outcome, type Update, type Version } from "@siteward/sdk/bulk";
import { useState } from "preact/hooks";
import { complain, seenIn } from "../data/changes.ts";
import { useRun } from "../parts/run.tsx";
import { type Faults, rebase, toDraft, toPassword, toSettings } from "../words/settings.ts";

/** What was read, what the form says, and what came of saving it. */
export function useForm(read: Version, onSaved: () => void) {
  const [base, setBase] = useState(read);
  const [draft, setDraft] = useState(() => toDraft(read.website));
  const [faults, setFaults] = useState<Faults>();
  const [fault, setFault] = useState("");
  /** What somebody else has made of the website meanwhile. */
  const [theirs, setTheirs] = useState<Version>();
  const run = useRun();
  const mine = toSettings(draft);
  const edit = { set: { ...mine, ...toPassword(draft) } };

  const forgetFaults = () => {
    setFaults(undefined);
    setFault("");
    setTheirs(undefined);
  };
  const take = (version: Version, kept = toDraft(version.website)) => {
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
    take({ website, tag: now?.tag ?? "" });
    onSaved();
  };
  const save = async () => {
    forgetFaults();
    const { id, domain } = base.website;
    const update: Update = { action: "update", id, domain, edit, only: base };
    await run.run([update], { onOutcome, known: new Map([[id, base]]) });
  };
  const isChanged = Object.keys(fieldsOf(edit, base.website)).length > 0;
  /** Puts what the form says on top of what somebody else has made of the website. Nothing is saved yet. */
  const keepBoth = (version: Version) =>
    take(version, { ...toDraft(rebase(base.website, mine, version.website)), password: draft.password });
  return { base, draft, setDraft, mine, isChanged, run, faults, fault, theirs, setTheirs, take, keepBoth, save };
}
