import { isApiError, type Website } from "@siteward/sdk";
import type { Outcome, Run, Update, Version } from "@siteward/sdk/bulk";
import { useMemo, useState } from "preact/hooks";
import { complain, seenIn, summarizeRun } from "../data/changes.ts";
import { isDone } from "../data/edits.ts";
import { listLink, useUnsaved } from "../data/route.ts";
import { useDesk } from "../data/session.ts";
import { DeleteDialog } from "../dialogs/delete-dialog.tsx";
import { OtherFields, PrivacyField } from "../forms/settings-fields.tsx";
import { VisitTest } from "../forms/visit.tsx";
import { keepFocus } from "../parts/focus.ts";
import { Button, Failure, FaultSummary, Form, Summary, Title } from "../parts/parts.tsx";
import { RunActions, useRun } from "../parts/run.tsx";
import { useVersions } from "../parts/versions.ts";
import {
  choices,
  type Faults,
  findFaults,
  rebase,
  type Settings,
  summarize,
  toDraft,
  toPassword,
  toSettings,
} from "../words/settings.ts";
import { nameDomain } from "../words/text.ts";

export function EditScreen({ id }: { readonly id: number }) {
  const { versions, fault, read } = useVersions(new Set([id]));
  const version = versions?.get(id);
  if (version !== undefined) return <EditForm read={version} />;
  if (versions === undefined && fault === "") return <p role="status">Loading …</p>;
  return (
    <>
      <Title>Website</Title>
      {fault === "" ? (
        <p role="alert">
          This website does not exist, or was deleted. <a href={listLink()}>All websites</a>
        </p>
      ) : (
        <Failure onRetry={read}>{fault}</Failure>
      )}
    </>
  );
}

function EditForm({ read }: { readonly read: Version }) {
  const { mayWrite, notify } = useDesk();
  const { domain } = read.website;
  const form = useForm(read);
  const { base, draft, said, isChanged, run, take } = form;
  const [isDeleting, setDeleting] = useState(false);
  useUnsaved(isChanged);
  const leave = (deletion: Run) => {
    setDeleting(false);
    const [outcome] = deletion.outcomes;
    const theirs = outcome && seenIn(outcome);
    if (theirs !== undefined) return form.setSaid({ theirs });
    const isGone = outcome?.state === "changed" || outcome?.state === "already";
    notify(summarizeRun(deletion, "deleted"), isGone ? "/" : undefined);
    if (!isGone) return;
    take(base);
    location.assign(listLink());
  };
  const fields = { draft, faults: said.faults, onChange: form.setDraft };
  return (
    <>
      <Title>{nameDomain(domain)}</Title>
      <div class="columns">
        <Form onSend={form.save}>
          <FaultSummary title="Nothing was saved" faults={said.faults} />
          {said.fault && <Failure onRetry={form.save}>{said.fault}</Failure>}
          {said.theirs && <Conflict form={form} theirs={said.theirs} />}
          <fieldset disabled={!mayWrite}>
            <legend class="hidden">Settings</legend>
            <PrivacyField {...fields} hasPassword={base.website.has_password} />
            <OtherFields {...fields} />
          </fieldset>
          {mayWrite && (
            <RunActions run={run} label="Save" isOff={!isChanged}>
              <Button label="Discard changes" isOff={!isChanged} onClick={() => take(base)} />
              <Button label="Delete …" class="danger" onClick={() => setDeleting(true)} />
            </RunActions>
          )}
        </Form>
        <VisitTest settings={{ domain, ...form.mine }} />
      </div>
      {isDeleting && (
        <DeleteDialog rows={[base.website]} known={form.known} onClose={() => setDeleting(false)} onDone={leave} />
      )}
    </>
  );
}

/** What came of the last attempt: what is wrong, or what somebody else has made of the website meanwhile. */
type Said = Readonly<{ faults?: Faults; fault?: string; theirs?: Version }>;

/** What was read, what the form says, and what came of saving it. */
function useForm(read: Version) {
  const [base, setBase] = useState(read);
  const [draft, setDraft] = useState(() => toDraft(read.website));
  const [said, setSaid] = useState<Said>({});
  const run = useRun();
  const { notify } = useDesk();
  const mine = toSettings(draft);
  const edit = { set: { ...mine, ...toPassword(draft) } };
  const { id, domain, has_password } = base.website;
  const known = new Map([[id, base]]);

  const take = (version: Version, kept: Parameters<typeof setDraft>[0] = toDraft(version.website)) => {
    keepFocus();
    setBase(version);
    setDraft(kept);
    setSaid({});
  };
  const onOutcome = (outcome: Outcome, _: number, website: Website | undefined) => {
    const { error, now } = outcome;
    const theirs = seenIn(outcome);
    if (theirs !== undefined) return setSaid({ theirs });
    if (isApiError(error, "validation_failed")) return setSaid({ faults: error.errors });
    if (website === undefined) return setSaid({ fault: complain(outcome) });
    // What was typed meanwhile stays.
    take({ website, tag: now?.tag ?? "" }, (typed) => (typed === draft ? toDraft(website) : typed));
    const since = ` Somebody else has changed it since: ${summarize(mine, website).join("; ")}.`;
    notify(`${nameDomain(domain)} is saved.${isDone({ set: mine }, website) ? "" : since}`);
  };
  const save = () => {
    // What was said before is over.
    notify("");
    const faults = findFaults(draft, has_password);
    setSaid(faults === undefined ? {} : { faults });
    if (faults !== undefined) return;
    const update: Update = { action: "update", id, domain, edit, only: base };
    const title = `Edited: ${summarize(base.website, mine).join(", ") || "new password"}`;
    void run.run([update], { verb: "changed", title }, { onOutcome, known });
  };
  const isChanged = !isDone(edit, base.website);
  /**
   * Puts what the form says on top of what somebody else has made of the website. Nothing is saved yet.
   *
   * @param privacy of the two, if both have changed it
   */
  const keepBoth = (version: Version, privacy?: Settings["privacy"]) => {
    const both = rebase(base.website, mine, version.website);
    take(version, { ...toDraft({ ...both, privacy: privacy ?? both.privacy }), password: draft.password });
  };
  return { base, known, draft, setDraft, mine, isChanged, run, said, setSaid, take, keepBoth, save };
}

type ConflictProps = Readonly<{ form: ReturnType<typeof useForm>; theirs: Version }>;

/** What somebody else has changed, and whose value stays. If both have changed who may see it, a person chooses. */
function Conflict({ form: { base, mine, keepBoth, take }, theirs }: ConflictProps) {
  const [before, others] = [base.website, theirs.website];
  const names = choices.find(({ field }) => field === "privacy")?.names ?? {};
  const isBoth = ![before.privacy, others.privacy].includes(mine.privacy) && others.privacy !== before.privacy;
  const lines = useMemo(() => summarize(before, others), [theirs]);
  return (
    <Summary title={changedByOthers} lines={lines.length > 0 ? lines : passwordOnly}>
      <div class="actions">
        {(isBoth ? [mine.privacy, others.privacy] : [undefined]).map((privacy) => {
          const whose = privacy === mine.privacy ? "my" : "their";
          const label = privacy === undefined ? "" : `, with ${whose} “${names[privacy]}”`;
          return <Button key={privacy} label={`Keep both changes${label}`} onClick={() => keepBoth(theirs, privacy)} />;
        })}
        <Button label="Discard mine" onClick={() => take(theirs)} />
      </div>
    </Summary>
  );
}

// If an answer was lost, it may have been saved before.
const changedByOthers = "Somebody else has changed this website since you opened it";
const passwordOnly = ["Its password"];
