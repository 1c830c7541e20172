import { Privacy } from "@siteward/sdk";
import { useMemo, useState } from "preact/hooks";
import { type Comparison, compare, type Group, type Model, planOf, toModel } from "../data/compare.ts";
import { useDesk } from "../data/session.ts";
import type { Row } from "../data/websites.ts";
import { ListFields } from "../forms/settings-fields.tsx";
import { Choice, Field } from "../parts/fields.tsx";
import { More } from "../parts/parts.tsx";
import { RunDialog, type RunProps, useRun } from "../parts/run.tsx";
import { useSoon } from "../parts/soon.ts";
import { choices, describeEdit, labels, lists } from "../words/settings.ts";
import { digits, many, nameDomain, toName } from "../words/text.ts";

const maxShown = 200;
const maxSuggested = 50;

/** Brings the selected websites in line with a model, but for exceptions. */
export function CompareDialog({ rows, onClose, onDone }: RunProps) {
  const [model, setModel] = useState(() => toModel(rows[0]?.domain ?? ""));
  const [exceptions, onExcept] = useState<ReadonlySet<number>>(new Set());
  const website = useDesk().websites.find(model.domain);
  const found = useSoon(() => compare(model, website, rows), [model, website, rows]);
  const { changes, differ, exposed } = useMemo(() => planOf(found, exceptions), [found, exceptions]);
  const run = useRun(onDone);
  const start = () => {
    const name = model.isPasted ? "pasted lists" : nameDomain(found.website?.domain ?? "");
    void run.run(changes, { verb: "changed", title: `Like ${name}` });
  };
  const except = differ > changes.length ? `, ${many(differ - changes.length, "exception")}` : "";
  const count = `${digits(differ)} of ${digits(rows.length)} differ${except}.`;
  const status = found.faults === undefined ? count : "Nothing is compared.";
  const isOff = changes.length === 0 || found.model !== model;
  return (
    <RunDialog
      {...{ title: `Compare ${many(rows.length)} with a model`, onClose, run, status, exposed, isOff }}
      label={`Bring ${many(changes.length)} in line`}
      onSend={start}
    >
      <ModelFields found={found} model={model} onChange={(some) => setModel({ ...model, ...some })} />
      <table aria-label="What differs, and what it becomes">
        {found.groups.slice(0, maxShown).map((group) => (
          <GroupRow key={group.rows[0]?.id} {...group} {...{ exceptions, onExcept }} />
        ))}
      </table>
      <More of={found.groups.length} shown={maxShown} />
    </RunDialog>
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
          <ListFields
            {...{ texts, faults: found.faults }}
            onChange={(some) => onChange({ texts: { ...texts, ...some } })}
          />
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
  const suggested = rows.filter(({ domain }) => domain.includes(part) || toName(domain).includes(part));
  return (
    <>
      <Field
        {...{ id: "model", label: "Model: the domain of any website", value: domain, faults: faults?.["model"] }}
        onText={(text) => onChange({ domain: text })}
        suggested={suggested
          .slice(0, maxSuggested)
          .map((row) => <option key={row.id} value={row.domain} label={toName(row.domain)} />)}
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

type Exceptions = Readonly<{ exceptions: ReadonlySet<number>; onExcept: (exceptions: ReadonlySet<number>) => void }>;

function GroupRow({ rows, edit, ...others }: Exceptions & Group) {
  const [isOpen, setOpen] = useState(false);
  return (
    <tr>
      <th scope="row">
        <Tick rows={rows} {...others} />
        {rows.length > 1 && (
          <details onToggle={(event) => setOpen(event.currentTarget.open)}>
            <summary>Which ones</summary>
            {isOpen && rows.slice(0, maxShown).map((row) => <Tick key={row.id} rows={[row]} {...others} />)}
            <More of={rows.length} shown={maxShown} />
          </details>
        )}
      </th>
      <td>{describeEdit(edit, rows[0]).join("; ")}</td>
    </tr>
  );
}

/** Whether websites are brought in line, or are exceptions. */
function Tick({ rows, exceptions, onExcept }: Exceptions & { readonly rows: readonly Row[] }) {
  const ids = rows.map(({ id }) => id);
  const count = ids.filter((id) => !exceptions.has(id)).length;
  const onPick = (isOn: boolean) => {
    const next = new Set([...exceptions, ...ids]);
    for (const id of isOn ? ids : []) next.delete(id);
    onExcept(next);
  };
  const label = rows.length === 1 ? nameDomain(rows[0]?.domain ?? "") : many(rows.length);
  return <Choice {...{ label, isOn: count === ids.length, isPartly: count > 0 && count < ids.length, onPick }} />;
}
