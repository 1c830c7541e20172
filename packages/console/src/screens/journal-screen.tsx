import { readVersions, type Undo } from "@siteward/sdk/bulk";
import { useEffect, useMemo, useState } from "preact/hooks";
import { summarizeRun } from "../data/changes.ts";
import { describeLost, journal, toUndo } from "../data/journal.ts";
import type { Batch, Step } from "../data/journal-store.ts";
import { useDesk } from "../data/session.ts";
import { keepFocus } from "../parts/focus.ts";
import { Button, More, Title } from "../parts/parts.tsx";
import { Progress, useRun } from "../parts/run.tsx";
import { type Settings, summarize } from "../words/settings.ts";
import { digits, many, nameDomain, say, toTime } from "../words/text.ts";

/** What was done in this browser, and the way back. */
export function JournalScreen() {
  const { client, id, mayWrite, notify, end } = useDesk();
  const [entries, setEntries] = useState<readonly Batch[]>();
  const [undoing, setUndoing] = useState<number>();
  const run = useRun();
  const load = () => journal.read(id).then(setEntries);
  useEffect(() => {
    void load();
    document.addEventListener("visibilitychange", load);
    return () => document.removeEventListener("visibilitychange", load);
  }, [id]);
  const start: Start = async ({ entry, title }, steps) => {
    setUndoing(entry);
    notify("");
    const ids = new Set(toUndo(steps).changes.map((change) => change.id));
    // What cannot be read is left to the run, which waits for the server.
    const none = { versions: undefined };
    const { versions: known } = await readVersions(client, { ids }, { signal: end.signal }).catch(() => none);
    const undo = toUndo(steps, known);
    const done = await run.run(undo.changes, { verb: "restored", title, entry }, { known });
    setUndoing(undefined);
    if (done.end !== "declined") notify(`${summarizeRun(done, "restored")} ${describeLost(undo)}`);
    await load();
    keepFocus();
  };
  const forget = async () => {
    if (!confirm("Forget what was done in this browser? It cannot be undone then.")) return;
    await journal.forget(id).catch((error) => notify(say(error)));
    await load();
  };
  return (
    <>
      <div class="row">
        <Title>Journal</Title>
        <p class="count">Kept in this browser for this account, without passwords, also after “Forget key”.</p>
        <Button label="Forget journal" isOff={undoing !== undefined} onClick={() => void forget()} />
      </div>
      {journal.isKept || <p class="fault">This browser keeps no journal beyond this page.</p>}
      {entries?.length === 0 && <p>Nothing was changed in this browser yet.</p>}
      {entries?.map((entry) => (
        <JournalEntry key={entry.entry} {...{ entry, undoing, run }} onUndo={mayWrite && start} />
      ))}
    </>
  );
}

/** How many websites of an entry are drawn. The others are counted. */
const maxShown = 100;

type Start = (entry: Batch, steps: readonly Step[]) => Promise<void>;
type EntryProps = Parameters<typeof Progress>[0] &
  Readonly<{ entry: Batch; undoing: number | undefined; onUndo: Start | false }>;

function JournalEntry({ entry, undoing, run, onUndo }: EntryProps) {
  const { title, verb, steps } = entry;
  const [isOpen, setOpen] = useState(false);
  const undo = useMemo(() => toUndo(steps), [steps]);
  const note = verb === "deleted" ? "A deletion cannot be undone." : verb === "changed" && describeLost(undo);
  const failed = steps.filter(({ state }) => state !== "changed").length;
  const name = steps.length === 1 ? nameDomain(steps[0]?.change.domain ?? "") : many(steps.length);
  const heading = `${title}: ${name}`;
  const button = (some: readonly Step[], { changes }: Undo, text: string, about: string) => {
    const send = { isOff: undoing !== undefined, onClick: () => onUndo && void onUndo(entry, some) };
    return onUndo && changes.length > 0 && <Button label={text} aria-label={`${text} ${about}`} {...send} />;
  };
  return (
    <article class="entry">
      <div class="row">
        <h2>{heading}</h2>
        <span class="help">{toTime(entry.entry)}</span>
        {button(steps, undo, steps.every((one) => one.isOpen) ? "Undo" : "Undo the rest", heading)}
      </div>
      {undoing === entry.entry && <Progress run={run} />}
      {note && <p class="help">{note}</p>}
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{many(steps.length) + (failed > 0 ? `, ${digits(failed)} not ${verb}` : "")}</summary>
        <table>
          <tbody>
            {(isOpen ? steps.slice(0, maxShown) : []).map((one) => (
              <tr key={one.change.domain}>
                <th scope="row">{nameDomain(one.change.domain)}</th>
                <td>{describe(one)}</td>
                <td>{one.text || verb}</td>
                <td>{button([one], toUndo([one]), "Undo", nameDomain(one.change.domain))}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <More of={steps.length} shown={maxShown} />
      </details>
    </article>
  );
}

function describe({ before = {}, fields = {} }: Step): string {
  // The console sends lists as lists.
  const settings = summarize(before, fields as Partial<Settings>);
  return [...settings, ...(fields.password === undefined ? [] : ["new password"])].join("; ");
}
