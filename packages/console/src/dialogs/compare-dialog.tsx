import { Privacy } from "@siteward/sdk";
import { useMemo, useState } from "preact/hooks";
import { type Comparison, compare, type Model, planOf, toModel } from "../data/compare.ts";
import { warn } from "../data/edits.ts";
import { useDesk } from "../data/session.ts";
import type { Row } from "../data/websites.ts";
import { Choice, Field } from "../parts/fields.tsx";
import { Button, Dialog, Form } from "../parts/parts.tsx";
import { RunActions, type RunProps, useRun } from "../parts/run.tsx";
import { useSoon } from "../parts/soon.ts";
import { choices, labels, lists, summarize } from "../words/settings.ts";
import { many, nameDomain, nameSome } from "../words/text.ts";

const maxShown = 200;
const maxSuggested = 50;

/** Brings the selected websites in line with a model, but for exceptions. */
export function CompareDialog({ rows, onClose, onDone }: RunProps) {
  const [model, setModel] = useState(() => toModel(rows[0]?.website.domain ?? ""));
  const [exceptions, onExcept] = useState<ReadonlySet<number>>(new Set());
  const website = useDesk().websites.find(model.domain)?.website;
  const [found] = useSoon(() => compare(model, website, rows), [model, website, rows]);
  const { changes, differ, exposed } = useMemo(() => planOf(found, exceptions), [found, exceptions]);
  const run = useRun();
  const start = async () => {
    const name = model.isPasted ? "pasted lists" : nameDomain(found.website?.domain ?? "");
    const [done, doing] = await run.run(changes, { verb: "changed", title: `Like ${name}` });
    if (done.end !== "declined") onDone(done, doing);
  };
  const label = `Bring ${many(changes.length)} in line`;
  const except = differ > changes.length ? `, ${many(differ - changes.length, "exception")}` : "";
  const count = `${differ.toLocaleString("en")} of ${rows.length.toLocaleString("en")} differ${except}.`;
  return (
    <Dialog title={`Compare ${many(rows.length)} with a model`} onClose={onClose}>
      {(dismiss) => (
        <Form onSend={start}>
          <ModelFields found={found} model={model} onChange={(some) => setModel({ ...model, ...some })} />
          <table aria-label="What differs, and what it becomes">
            {found.groups.slice(0, maxShown).map((group) => (
              <GroupRow key={group.rows[0]?.website.id} {...group} {...{ exceptions, onExcept }} />
            ))}
          </table>
          {more(found.groups)}
          <div class="foot">
            <p role="status">
              {found.faults === undefined ? count : "Nothing is compared."} <span class="fault">{warn(exposed)}</span>
            </p>
            <RunActions run={run} label={label} isOff={changes.length === 0 || found.model !== model}>
              <Button label="Cancel" onClick={dismiss} />
            </RunActions>
          </div>
        </Form>
      )}
    </Dialog>
  );
}

type FieldsProps = Readonly<{ found: Comparison; model: Model; onChange: (some: Partial<Model>) => void }>;

function ModelFields(props: FieldsProps) {
  const { model, found, onChange } = props;
  const { isPasted, isExact, texts } = model;
  return (
    <>
      <Choice
        label="Compare with lists that I paste"
        isOn={isPasted}
        onPick={(isOn) => onChange({ isPasted: isOn, isExact: !isOn })}
      />
      {isPasted ? (
        <div class="grid">
          {lists.map(({ field, help }) => (
            <Field
              {...{
                key: field,
                id: field,
                label: labels[field] ?? field,
                help,
                rows: 4,
                value: texts[field],
                faults: found.faults?.[field],
              }}
              onText={(text) => onChange({ texts: { ...texts, [field]: text } })}
            />
          ))}
        </div>
      ) : (
        <WebsiteFields {...props} />
      )}
      <fieldset class="row">
        <legend>Entries of a list</legend>
        <Choice name="match" label="Has at least these" isOn={!isExact} onPick={() => onChange({ isExact: false })} />
        <Choice name="match" label="Exactly these" isOn={isExact} onPick={() => onChange({ isExact: true })} />
      </fieldset>
    </>
  );
}

function WebsiteFields({ found: { website, faults }, model: { domain, compared }, onChange }: FieldsProps) {
  const part = domain.trim().toLowerCase();
  const rows = useDesk().websites.sorted("domain");
  const suggested = rows.filter((row) => row.name.includes(part) || row.website.domain.includes(part));
  return (
    <>
      <Field
        {...{ id: "model", label: "Model: the domain of any website", value: domain, faults: faults?.["model"] }}
        onText={(text) => onChange({ domain: text })}
        suggested={suggested
          .slice(0, maxSuggested)
          .map((row) => <option key={row.website.id} value={row.website.domain} label={row.name} />)}
      />
      <fieldset class="row">
        <legend>Compare</legend>
        {[...choices, ...lists].map(({ field }) => (
          <Choice
            {...{ key: field, label: labels[field], isOn: compared[field] === true }}
            onPick={(isOn) => onChange({ compared: { ...compared, [field]: isOn } })}
          />
        ))}
      </fieldset>
      {website?.privacy === Privacy.Password && (
        <p class="help">Nobody can read the password of the model to copy it, so who may see the statistics stays.</p>
      )}
    </>
  );
}

const more = ({ length }: readonly unknown[]) =>
  length > maxShown && <p class="help">and {(length - maxShown).toLocaleString("en")} more</p>;

type Exceptions = Readonly<{ exceptions: ReadonlySet<number>; onExcept: (exceptions: ReadonlySet<number>) => void }>;

function GroupRow({ rows, from, edit, ...others }: Exceptions & Comparison["groups"][number]) {
  const [isOpen, setOpen] = useState(false);
  return (
    <tr>
      <th scope="row">
        <Tick rows={rows} {...others} />
        {rows.length > 1 && (
          <details onToggle={(event) => setOpen(event.currentTarget.open)}>
            <summary>Which ones</summary>
            {isOpen && rows.slice(0, maxShown).map((row) => <Tick key={row.website.id} rows={[row]} {...others} />)}
            {more(rows)}
          </details>
        )}
      </th>
      <td>{summarize({ ...from, ...edit.remove }, { ...edit.set, ...edit.add }).join("; ")}</td>
    </tr>
  );
}

/** Whether websites are brought in line, or are exceptions. */
function Tick({ rows, exceptions, onExcept }: Exceptions & { readonly rows: readonly Row[] }) {
  const ids = rows.map(({ website }) => website.id);
  const count = ids.filter((id) => !exceptions.has(id)).length;
  const onPick = (isOn: boolean) => {
    const next = new Set([...exceptions, ...ids]);
    for (const id of isOn ? ids : []) next.delete(id);
    onExcept(next);
  };
  const label = rows.length === 1 ? nameSome(rows.map(({ website }) => website.domain)) : many(rows.length);
  return <Choice {...{ label, isOn: count === ids.length, isPartly: count > 0 && count < ids.length, onPick }} />;
}
