import { isApiError, type Siteward } from "@siteward/sdk";
import { useState } from "preact/hooks";
import type { Faults } from "./parts.tsx";
import { changesBetween, rebase, toDraft, toPassword, toSettings } from "./settings.ts";
import { readVersion, type Version } from "./version.ts";
import { say } from "./words.ts";

/** What was read, what the form says, and what came of saving it. */
export function useForm(client: Siteward, read: Version, onSaved: () => void) {
  const [base, setBase] = useState(read);
  const [draft, setDraft] = useState(() => toDraft(read.website));
  const [faults, setFaults] = useState<Faults>();
  const [fault, setFault] = useState("");
  /** What somebody else has made of the website meanwhile. */
  const [theirs, setTheirs] = useState<Version>();
  const [isBusy, setBusy] = useState(false);
  const mine = toSettings(draft);
  const changes = { ...changesBetween(base.website, mine), ...toPassword(draft) };

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
  const refuse = async (error: unknown) => {
    if (isApiError(error, "validation_failed")) return setFaults(error.errors);
    if (!isApiError(error, "precondition_failed")) return setFault(say(error));
    await readVersion(client, base.website.id).then(setTheirs, (failure) => setFault(say(failure)));
  };
  const save = async () => {
    setBusy(true);
    forgetFaults();
    try {
      const sent = client.websites.update(base.website.id, changes, { ifMatch: base.tag });
      const { data, response } = await sent.withResponse();
      take({ website: data, tag: response.etag ?? "" });
      onSaved();
    } catch (error) {
      await refuse(error);
    } finally {
      setBusy(false);
    }
  };
  const isChanged = Object.keys(changes).length > 0;
  /** Puts what the form says on top of what somebody else has made of the website. Nothing is saved yet. */
  const keepBoth = (version: Version) =>
    take(version, { ...toDraft(rebase(base.website, mine, version.website)), password: draft.password });
  return { base, draft, setDraft, mine, isChanged, isBusy, faults, fault, theirs, take, keepBoth, save };
}
