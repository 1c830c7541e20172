import { isApiError } from "@siteward/sdk";
import { toUnicodeDomain } from "@siteward/sdk/unicode";
import { useEffect, useState } from "preact/hooks";
import { countRows, findExisting, maxRows, type Row, readRows, stateLabels } from "./add-rows.ts";
import { Crumb, FaultSummary, type Faults, Field, Form, Title } from "./parts.tsx";
import { readRoute, useUnsaved } from "./route.ts";
import { Progress, useRun } from "./run.tsx";
import type { Session } from "./session.ts";
import { defaults, toDraft, toPassword, toSettings } from "./settings.ts";
import { OtherFields, PrivacyField } from "./settings-fields.tsx";
import { many, say } from "./words.ts";

interface Props {
  readonly session: Session;
  readonly onNotice: (text: string) => void;
}

/** Adds one website or thousands, all with the same settings. */
export function AddScreen({ session: { client }, onNotice }: Props) {
  const [text, setText] = useState(readRoute().query.get("domains") ?? "");
  const [rows, setRows] = useRows(client, text);
  const [draft, setDraft] = useState(toDraft(defaults));
  const [faults, setFaults] = useState<Faults>();
  const { finished, run, stop } = useRun();
  const fresh = rows.filter(({ state }) => state === "new");
  useUnsaved(fresh.length > 0);

  const add = async () => {
    const settings = { ...toSettings(draft), ...toPassword(draft) };
    const { results, failures, ...outcome } = await run(fresh, async (row, waitSignal): Promise<Row> => {
      await client.websites.create({ domain: row.domain, ...settings }, { waitSignal });
      return { ...row, state: "added" };
    });
    setFaults(outcome.faults);
    if (outcome.faults !== undefined) return;
    const failed = failures.map(([row, error]): Row => {
      return { ...row, state: isApiError(error, "domain_taken") ? "exists" : "failed", note: say(error) };
    });
    const done = new Map([...results, ...failed].map((row) => [row.domain, row]));
    setRows((current) => current.map((row) => (row.state === "new" ? (done.get(row.domain) ?? row) : row)));
    onNotice(`${many(results.length)} added.`);
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
        <Progress finished={finished} total={fresh.length} onStop={stop} />
        <div class="actions">
          <button type="submit" class="primary" disabled={finished !== undefined || isMuch || fresh.length === 0}>
            {finished === undefined ? `Add ${many(fresh.length)}` : "Adding …"}
          </button>
        </div>
      </Form>
      {!isMuch && <Rows rows={rows} />}
    </>
  );
}

/** Returns the lines of the text, and soon after with what exists already. */
function useRows(client: Session["client"], text: string) {
  const [rows, setRows] = useState<readonly Row[]>([]);
  useEffect(() => {
    let isOld = false;
    const read = readRows(text);
    setRows(read);
    const mark = (taken: ReadonlySet<string>) => {
      const isTaken = ({ state, domain }: Row) => state === "new" && taken.has(domain);
      if (!isOld) setRows((rows) => rows.map((row) => (isTaken(row) ? { ...row, state: "exists" } : row)));
    };
    // If it fails, adding says what exists.
    const look = () => void (read.length > maxRows || findExisting(client, read).then(mark, () => {}));
    const timer = setTimeout(look, 300);
    return () => {
      isOld = true;
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
