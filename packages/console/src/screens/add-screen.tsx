import type { Creation } from "@siteward/sdk/bulk";
import { toUnicodeDomain } from "@siteward/sdk/fields";
import { useEffect, useState } from "preact/hooks";
import {
  countRows,
  findExisting,
  isOpen,
  maxRows,
  type Row,
  readRows,
  stateLabels,
  withOutcomes,
} from "../data/add-rows.ts";
import { faultsOf, stopAtFirstFault, summarize } from "../data/changes.ts";
import { readRoute, useUnsaved } from "../data/route.ts";
import { useDesk } from "../data/session.ts";
import { OtherFields, PrivacyField } from "../forms/settings-fields.tsx";
import { Crumb, FaultSummary, Field, Form, Title } from "../parts/parts.tsx";
import { RunActions, useRun } from "../parts/run.tsx";
import { defaults, type Faults, toDraft, toPassword, toSettings } from "../words/settings.ts";
import { many } from "../words/text.ts";

/** Adds one website or thousands, all with the same settings. */
export function AddScreen() {
  const { notify } = useDesk();
  const [text, setText] = useState(readRoute().query.get("domains") ?? "");
  const [rows, setRows] = useRows(text);
  const [draft, setDraft] = useState(toDraft(defaults));
  const [faults, setFaults] = useState<Faults>();
  const run = useRun();
  const fresh = rows.filter(isOpen);
  useUnsaved(fresh.length > 0);

  const add = async () => {
    setFaults(undefined);
    const set = { ...toSettings(draft), ...toPassword(draft) };
    const changes = fresh.map(({ domain }): Creation => ({ action: "create", domain, set }));
    // How visible they will be is said above the button.
    const done = await run.run(changes, { ...stopAtFirstFault(), consent: () => true });
    const wrong = faultsOf(done);
    setFaults(wrong);
    if (wrong !== undefined) return;
    setRows((current) => withOutcomes(current, done.outcomes));
    notify(summarize(done, "added"));
  };

  const isMuch = rows.length > maxRows;
  return (
    <>
      <Crumb />
      <Title>Add websites</Title>
      <Form onSend={add}>
        {faults !== undefined && <FaultSummary title="Nothing was added" faults={faults} />}
        <Field
          id="domain"
          label="Domains"
          help={`One per line, up to ${maxRows.toLocaleString("en")}. URLs, too.`}
          rows={6}
          value={text}
          onText={setText}
        />
        <PrivacyField draft={draft} faults={faults} hasPassword={false} onChange={setDraft} />
        <details open={faults !== undefined}>
          <summary>More settings for all of them</summary>
          <OtherFields draft={draft} faults={faults} onChange={setDraft} />
        </details>
        {isMuch ? (
          <p class="fault" role="alert">
            {many(rows.length, "line")} are more than {maxRows.toLocaleString("en")}. Use <code>siteward import</code>.
          </p>
        ) : (
          <p role="status">
            <strong>{countRows(rows, draft.privacy)}</strong>
          </p>
        )}
        <RunActions run={run} label={`Add ${many(fresh.length)}`} isOff={isMuch || fresh.length === 0} />
      </Form>
      {!isMuch && <Rows rows={rows} />}
    </>
  );
}

/** Returns the lines of the text, and soon after with what exists already. */
function useRows(text: string) {
  const { client } = useDesk();
  const [rows, setRows] = useState<readonly Row[]>([]);
  useEffect(() => {
    const abort = new AbortController();
    const read = readRows(text);
    setRows(read);
    const mark = (taken: ReadonlySet<string>) => {
      const isTaken = ({ state, domain }: Row) => state === "new" && taken.has(domain);
      if (!abort.signal.aborted)
        setRows((rows) => rows.map((row) => (isTaken(row) ? { ...row, state: "exists" } : row)));
    };
    // If it fails, adding says what exists.
    const look = () => void (read.length > maxRows || findExisting(client, read, abort.signal).then(mark, () => {}));
    const timer = setTimeout(look, 300);
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [text]);
  return [rows, setRows] as const;
}

/** How many lines are shown, those with a reason first. The others are counted. */
const maxShown = 200;

function Rows({ rows }: { readonly rows: readonly Row[] }) {
  if (rows.length === 0) return null;
  const shown = [...rows].sort((a, b) => Number(b.note !== "") - Number(a.note !== "")).slice(0, maxShown);
  return (
    <>
      <table>
        <caption class="hidden">What happens with each line</caption>
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">Domain</th>
            <th scope="col">What happens</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={`${row.line} ${row.text}`}>
              <td>{row.line}</td>
              <th scope="row">{row.domain === "" ? row.text : toUnicodeDomain(row.domain)}</th>
              <td>
                {stateLabels[row.state]}
                {row.note !== "" && <span class="help">: {row.note}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > maxShown && <p class="help">And {many(rows.length - maxShown, "line")} more.</p>}
    </>
  );
}
