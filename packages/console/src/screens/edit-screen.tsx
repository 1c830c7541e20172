import type { Run, Version } from "@siteward/sdk/bulk";
import { toUnicodeDomain } from "@siteward/sdk/fields";
import { useState } from "preact/hooks";
import { seenIn, summarizeRun } from "../data/changes.ts";
import { listLink, useUnsaved } from "../data/route.ts";
import { useDesk } from "../data/session.ts";
import { DeleteDialog } from "../dialogs/delete-dialog.tsx";
import { OtherFields, PrivacyField } from "../forms/settings-fields.tsx";
import { useForm } from "../forms/use-form.ts";
import { VisitTest } from "../forms/visit.tsx";
import { Button, Failure, FaultSummary, Form, Summary, Title } from "../parts/parts.tsx";
import { RunActions } from "../parts/run.tsx";
import { useVersions } from "../parts/versions.ts";
import { choices, summarize } from "../words/settings.ts";
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
  const name = nameDomain(domain);
  const form = useForm(read, () => notify(`${name} is saved.`));
  const { base, draft, faults, fault, theirs, isChanged, run, take } = form;
  const [isDeleting, setDeleting] = useState(false);
  useUnsaved(isChanged);
  const leave = (deletion: Run) => {
    setDeleting(false);
    const [outcome] = deletion.outcomes;
    const seen = outcome && seenIn(outcome);
    if (seen !== undefined) return form.setTheirs(seen);
    const isGone = outcome?.state === "changed" || outcome?.state === "already";
    notify(summarizeRun(deletion, "deleted"), isGone ? "/" : undefined);
    if (!isGone) return;
    take(base);
    location.assign(listLink());
  };
  const fields = { draft, faults, onChange: form.setDraft };
  return (
    <>
      <Title>{name}</Title>
      <div class="columns">
        <Form onSend={form.save}>
          {faults !== undefined && <FaultSummary title="Nothing was saved" faults={faults} />}
          {fault !== "" && <Failure onRetry={form.save}>{fault}</Failure>}
          {theirs !== undefined && <Conflict form={form} theirs={theirs} />}
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
        <VisitTest settings={{ domain, ...form.mine }} isDraft={isChanged} />
      </div>
      {isDeleting && (
        <DeleteDialog
          rows={[{ website: base.website, name: toUnicodeDomain(domain), client: "" }]}
          known={new Map([[base.website.id, base]])}
          onClose={() => setDeleting(false)}
          onDone={leave}
        />
      )}
    </>
  );
}

interface ConflictProps {
  readonly form: ReturnType<typeof useForm>;
  readonly theirs: Version;
}

const changedByOthers = "Nothing was saved or deleted: somebody else has changed this website since you opened it";

/** What somebody else has changed, and whose value stays. If both have changed who may see it, a person chooses. */
function Conflict({ form: { base, mine, keepBoth, take }, theirs }: ConflictProps) {
  const [before, others] = [base.website, theirs.website];
  const names = choices.find(({ field }) => field === "privacy")?.names ?? {};
  const isBoth = ![before.privacy, others.privacy].includes(mine.privacy) && others.privacy !== before.privacy;
  const lines = summarize(before, others);
  return (
    <Summary title={changedByOthers} about={theirs}>
      <ul>
        {(lines.length > 0 ? lines : ["Its password"]).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <div class="actions">
        {isBoth ? (
          [mine.privacy, others.privacy].map((privacy) => (
            <Button
              key={privacy}
              label={`Keep both changes, with ${privacy === mine.privacy ? "my" : "their"} “${names[privacy]}”`}
              onClick={() => keepBoth(theirs, privacy)}
            />
          ))
        ) : (
          <Button label="Keep both changes" class="primary" onClick={() => keepBoth(theirs)} />
        )}
        <Button label="Discard mine" onClick={() => take(theirs)} />
      </div>
    </Summary>
  );
}
