import { isApiError } from "@siteward/sdk";
import { toUnicodeDomain } from "@siteward/sdk/unicode";
import { useEffect, useState } from "preact/hooks";
import { DeleteDialog } from "./delete-dialog.tsx";
import { Button, Crumb, Failure, FaultSummary, Form, Title } from "./parts.tsx";
import { useUnsaved } from "./route.ts";
import type { Outcome } from "./run.tsx";
import type { Session } from "./session.ts";
import { describeChanges } from "./settings.ts";
import { OtherFields, PrivacyField } from "./settings-fields.tsx";
import { useForm } from "./use-form.ts";
import { readVersion, type Version } from "./version.ts";
import { VisitTest } from "./visit.tsx";
import { say } from "./words.ts";

interface Props {
  readonly id: number;
  readonly session: Session;
  /** @param path of the screen that says it, if it is not this one */
  readonly onNotice: (text: string, path?: string) => void;
}

export function EditScreen({ id, session, onNotice }: Props) {
  const [read, setRead] = useState<Version>();
  const [error, setError] = useState<unknown>();
  const load = () => {
    setError(undefined);
    readVersion(session.client, id).then(setRead, setError);
  };
  useEffect(load, [id]);
  if (read !== undefined) return <EditForm read={read} session={session} onNotice={onNotice} />;
  if (error === undefined) return <p role="status">Loading …</p>;
  return (
    <>
      <Title>Website</Title>
      {isApiError(error, "not_found") ? (
        <p role="alert">
          This website does not exist, or was deleted. <a href="#/">All websites</a>
        </p>
      ) : (
        <Failure onRetry={load}>{say(error)}</Failure>
      )}
    </>
  );
}

type FormProps = Omit<Props, "id"> & { readonly read: Version };

function EditForm({ read, session: { client, mayWrite }, onNotice }: FormProps) {
  const { domain } = read.website;
  const name = toUnicodeDomain(domain);
  const form = useForm(client, read, () => onNotice(`${name} is saved.`));
  const { base, draft, faults, fault, theirs, isChanged, isBusy, take } = form;
  const [isDeleting, setDeleting] = useState(false);
  useUnsaved(isChanged);
  const leave = ({ results, failures: [failure] }: Outcome<Version, void>) => {
    setDeleting(false);
    if (failure !== undefined) return onNotice(say(failure[1]));
    if (results.length === 0) return;
    take(base);
    onNotice("1 website deleted.", "/");
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
            <Conflict
              changes={describeChanges(base.website, theirs.website)}
              onKeep={() => form.keepBoth(theirs)}
              onDiscard={() => take(theirs)}
            />
          )}
          <fieldset disabled={!mayWrite}>
            <legend class="hidden">Settings</legend>
            <PrivacyField {...fields} hasPassword={base.website.has_password} />
            <OtherFields {...fields} />
          </fieldset>
          {mayWrite && (
            <div class="actions">
              <button type="submit" class="primary" disabled={isBusy || !isChanged}>
                {isBusy ? "Saving …" : "Save"}
              </button>
              <Button label="Discard changes" disabled={!isChanged} onClick={() => take(base)} />
              <Button label="Delete …" class="danger" onClick={() => setDeleting(true)} />
            </div>
          )}
        </Form>
        <VisitTest settings={{ domain, ...form.mine }} isDraft={isChanged} />
      </div>
      {isDeleting && (
        <DeleteDialog client={client} versions={[base]} onClose={() => setDeleting(false)} onDone={leave} />
      )}
    </>
  );
}

type ConflictProps = Readonly<{ changes: readonly string[]; onKeep: () => void; onDiscard: () => void }>;

function Conflict({ changes, onKeep, onDiscard }: ConflictProps) {
  return (
    <div class="summary" role="alert">
      <h2>Somebody else has changed this website</h2>
      <p>Nothing was saved. Since you opened it:</p>
      <ul>
        {changes.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <div class="actions">
        <Button label="Keep both changes" class="primary" onClick={onKeep} />
        <Button label="Discard mine" onClick={onDiscard} />
      </div>
    </div>
  );
}
