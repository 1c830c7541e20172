import type { Creation } from "@siteward/sdk/bulk";
import { websiteDefaults } from "@siteward/sdk/fields";
import { useEffect, useState } from "preact/hooks";
import { countLines, countRows, maxRows, type Row, readRows, toBeAdded } from "../data/add-rows.ts";
import { complaintsOf, summarizeRun } from "../data/changes.ts";
import { readRoute, useUnsaved } from "../data/route.ts";
import { useDesk } from "../data/session.ts";
import { useChanges } from "../data/websites.ts";
import { OtherFields, PrivacyField } from "../forms/settings-fields.tsx";
import { Field } from "../parts/fields.tsx";
import { Complaints, FaultSummary, Form, More, Title } from "../parts/parts.tsx";
import { RunActions, useRun } from "../parts/run.tsx";
import { useSoon } from "../parts/soon.ts";
import { type Faults, findFaults, toDraft, toPassword, toSettings } from "../words/settings.ts";
import { digits, many, nameDomain } from "../words/text.ts";

/** Adds one website or thousands, all with the same settings. */
export function AddScreen() {
  const { notify, websites } = useDesk();
  const [isKnown, setKnown] = useState(false);
  // Somebody may have added some of them just now.
  useEffect(() => void websites.refresh().then(() => setKnown(true)), []);
  const round = useChanges(websites);
  const isReady = isKnown && websites.isComplete;
  const [text, setText] = useState(readRoute().query.get("domains") ?? "");
  const [added, setAdded] = useState<ReadonlySet<string>>(new Set());
  const isTaken = (domain: string) => added.has(domain) || websites.has(domain);
  const rows = useSoon(
    () => (countLines(text) > maxRows ? [] : readRows(text, isTaken)),
    [text, isReady, round, added],
  );
  const [draft, setDraft] = useState(toDraft(websiteDefaults));
  const [faults, setFaults] = useState<Faults>();
  const [complaints, setComplaints] = useState<readonly string[]>([]);
  const run = useRun((done) => {
    const made = done.outcomes.filter(({ state }) => state === "changed");
    setAdded(new Set([...added, ...made.map(({ change }) => change.domain)]));
    setComplaints(complaintsOf(done));
    notify(summarizeRun(done, "added"));
  });
  const fresh = rows.filter(({ state, domain }) => state === toBeAdded && !added.has(domain));
  useUnsaved(fresh.length > 0);

  const add = () => {
    const wrong = findFaults(draft);
    setFaults(wrong);
    if (wrong !== undefined) return;
    const set = { ...toSettings(draft), ...toPassword(draft) };
    const changes = fresh.map(({ domain }): Creation => ({ action: "create", domain, set }));
    // How visible they will be is said above the button.
    void run.run(changes, { verb: "added", title: "Added" }, { consent: () => true });
  };

  const count = countLines(text);
  const isMuch = count > maxRows;
  return (
    <>
      <Title>Add websites</Title>
      <Form onSend={add}>
        <FaultSummary title="Nothing was added" faults={faults} />
        <Complaints complaints={complaints} />
        <Field
          id="domain"
          label="Domains"
          help={`One per line, up to ${digits(maxRows)}. URLs, too.`}
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
            {many(count, "line")} are more than {digits(maxRows)}. Use <code>siteward import</code>.
          </p>
        ) : (
          <p role="status">
            <strong>{isReady ? countRows(rows, draft.privacy) : "Reading what exists …"}</strong>
          </p>
        )}
        <RunActions run={run} label={`Add ${many(fresh.length)}`} isOff={isMuch || fresh.length === 0 || !isReady} />
      </Form>
      {!isMuch && <Rows rows={rows} />}
    </>
  );
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
              <th scope="row">{row.domain === "" ? <bdi>{row.text}</bdi> : nameDomain(row.domain)}</th>
              <td>
                {row.state}
                {row.note !== "" && <span class="help">: {row.note}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <More of={rows.length} shown={maxShown} />
    </>
  );
}
