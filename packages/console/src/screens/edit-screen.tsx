import { type Run, readVersions, type Version } from "@siteward/sdk/bulk";
import { toUnicodeDomain } from "@siteward/sdk/fields";
import { useEffect, useState } from "preact/hooks";
import { seenIn, summarize } from "../data/changes.ts";
import { useUnsaved } from "../data/route.ts";
import { useDesk } from "../data/session.ts";
import { DeleteDialog } from "../dialogs/delete-dialog.tsx";
import { OtherFields, PrivacyField } from "../forms/settings-fields.tsx";
import { useForm } from "../forms/use-form.ts";
import { VisitTest } from "../forms/visit.tsx";
import { Button, Crumb, Failure, FaultSummary, Form, Report, Title } from "../parts/parts.tsx";
import { RunActions } from "../parts/run.tsx";
import { describeChanges } from "../words/settings.ts";
import { say } from "../words/text.ts";

export function EditScreen({ id }: { readonly id: number }) {
  const { client } = useDesk();
  const [read, setRead] = useState<ReadonlyMap<number, Version>>();
  const [error, setError] = useState<unknown>();
  const load = () => {
    setError(undefined);
    readVersions(client, { ids: new Set([id]) }).then(({ versions }) => setRead(versions), setError);
  };
  useEffect(load, [id]);
  const version = read?.get(id);
  if (version !== undefined) return <EditForm read={version} />;
  if (read === undefined && error === undefined) return <p role="status">Loading …</p>;
  return (
    <>
      <Title>Website</Title>
      {error === undefined ? (
        <p role="alert">
          This website does not exist, or was deleted. <a href="#/">All websites</a>
        </p>
      ) : (
        <Failure onRetry={load}>{say(error)}</Failure>
      )}
    </>
  );
}

const changedByOthers = "Nothing was saved or deleted: somebody else has changed this website since you opened it";

function EditForm({ read }: { readonly read: Version }) {
  const { mayWrite, notify } = useDesk();
  const { domain } = read.website;
  const name = toUnicodeDomain(domain);
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
    notify(summarize(deletion, "deleted"), isGone ? "/" : undefined);
    if (!isGone) return;
    take(base);
    location.assign("#/");
  };
  const fields = { draft, faults, onChange: form.setDraft };
  return (
    <>
      <Crumb />
      <Title>{name}</Title>
      <div class="columns">
        <Form onSend={form.save}>
          {faults !== undefined && <FaultSummary title="Nothing was saved" faults={faults} />}
          {fault !== "" && <Failure onRetry={form.save}>{fault}</Failure>}
          {theirs !== undefined && (
            <Report title={changedByOthers} lines={describeChanges(base.website, theirs.website)}>
              <div class="actions">
                <Button label="Keep both changes" class="primary" onClick={() => form.keepBoth(theirs)} />
                <Button label="Discard mine" onClick={() => take(theirs)} />
              </div>
            </Report>
          )}
          <fieldset disabled={!mayWrite}>
            <legend class="hidden">Settings</legend>
            <PrivacyField {...fields} hasPassword={base.website.has_password} />
            <OtherFields {...fields} />
          </fieldset>
          {mayWrite && (
            <RunActions run={run} label="Save" isOff={!isChanged}>
              <Button label="Discard changes" disabled={!isChanged} onClick={() => take(base)} />
              <Button label="Delete …" class="danger" onClick={() => setDeleting(true)} />
            </RunActions>
          )}
        </Form>
        <VisitTest settings={{ domain, ...form.mine }} isDraft={isChanged} />
      </div>
      {isDeleting && <DeleteDialog versions={[base]} onClose={() => setDeleting(false)} onDone={leave} />}
    </>
  );
}
