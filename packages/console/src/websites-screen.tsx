import type { WebsitePage } from "@siteward/sdk";
import { type Made, restore } from "./change-websites.ts";
import { downloadCsv } from "./csv.ts";
import { Button, Dialog, Failure, Jump, Title } from "./parts.tsx";
import { pageSizes, type Route, readQuery, withQuery } from "./route.ts";
import { type Failed, Failures, type Outcome, Progress, useRun } from "./run.tsx";
import { Selection } from "./selection.tsx";
import type { Session } from "./session.ts";
import { useSearch, useWebsites } from "./use-websites.ts";
import { toVersions, type Version } from "./version.ts";
import { type Picked, WebsitesTable } from "./websites-table.tsx";
import { many, say } from "./words.ts";

/** What a person is about. It outlasts a look at one website. */
export interface Work {
  readonly picked: Picked;
  /** What can be taken back. */
  readonly made: readonly Made[];
  readonly failures: readonly Failed[];
}

interface Props {
  readonly session: Session;
  readonly route: Route;
  readonly work: Work;
  readonly onWork: (work: Work) => void;
  readonly onNotice: (text: string) => void;
}

/** The list of websites: searched, sorted, selected. */
export function WebsitesScreen({ session: { client, mayWrite }, route, work, onWork, onNotice }: Props) {
  const { page, fault, reload } = useWebsites(client, route);
  const { search, term, setTerm } = useSearch(route);
  const { picked, made, failures } = work;
  const onPick = (next: Picked) => onWork({ ...work, picked: next });
  const { finished, run, stop } = useRun();
  const takeBack = async () => {
    const { results, failures, left } = await run(made, (one, signal) => restore(client, one, signal));
    const alone = results.filter((isRestored) => !isRestored).length;
    onWork({ ...work, made: left, failures: failures.map(([{ before }, error]) => [before, error]) });
    const others = alone > 0 ? ` ${many(alone)} changed again since then and left alone.` : "";
    onNotice(`${many(results.length - alone)} restored.${others}`);
    reload();
  };
  const finish = (verb: string, outcome: Outcome<Version, unknown>, changed: readonly Made[]) => {
    onWork({
      // What is left stays selected, so that it can be tried again.
      picked: new Map(outcome.left.map((version) => [version.website.id, version])),
      made: changed,
      failures: outcome.failures.map(([{ website }, error]) => [website, error]),
    });
    onNotice(`${many(outcome.results.length)} ${verb}.`);
    reload();
  };
  const download = () =>
    void downloadCsv(client, search, [...picked.values()], onNotice).catch((error) => onNotice(say(error)));
  return (
    <>
      <div class="row apart">
        <Title>Websites</Title>
        {mayWrite && (
          <a class="button primary" href="#/add">
            Add websites
          </a>
        )}
      </div>
      <div class="row">
        <input
          type="search"
          aria-label="Search domains"
          placeholder="Search domains"
          value={term}
          onInput={(event) => setTerm(event.currentTarget.value)}
        />
        <p role="status" class="count">
          {page && countMatches(page, search)}
        </p>
        {made.length > 0 && <Button label="Undo the change" onClick={() => void takeBack()} />}
        <Button label={picked.size > 0 ? "Export selected (CSV)" : "Export CSV"} onClick={download} />
      </div>
      {finished !== undefined && (
        <Dialog title="Undoing the change" onClose={stop}>
          {() => <Progress finished={finished} total={made.length} onStop={stop} />}
        </Dialog>
      )}
      <Failures failures={failures} />
      {picked.size > 0 && (
        <Selection {...{ client, search, picked, onPick, onNotice }} total={page?.meta.total ?? 0} onDone={finish} />
      )}
      {fault !== "" && <Failure onRetry={reload}>{fault}</Failure>}
      {page === undefined && fault === "" && <p>Loading …</p>}
      {page?.data.length === 0 && <Empty search={search} mayWrite={mayWrite} onClear={() => setTerm("")} />}
      {page !== undefined && page.data.length > 0 && (
        <>
          <Jump class="skip" to="pages">
            Skip the table
          </Jump>
          <WebsitesTable
            versions={toVersions(page)}
            route={route}
            picked={mayWrite ? picked : undefined}
            onPick={onPick}
          />
          <Pager route={route} meta={page.meta} />
        </>
      )}
    </>
  );
}

function countMatches({ meta: { total, total_relation } }: WebsitePage, search: string): string {
  const count = `${total_relation === "eq" ? "" : "More than "}${many(total)}`;
  return search === "" ? count : `${count} ${total === 1 ? "matches" : "match"} “${search}”`;
}

function Pager({ route, meta }: { readonly route: Route; readonly meta: WebsitePage["meta"] }) {
  const links = [
    ["First", meta.prev_cursor === null ? null : ""],
    ["Previous", meta.prev_cursor],
    ["Next", meta.next_cursor],
  ] as const;
  const resize = (size: string) => location.assign(withQuery(route, { per_page: size, cursor: "" }));
  return (
    <nav class="row" aria-label="Pages" id="pages" tabIndex={-1}>
      {links.map(([label, cursor]) => (
        <Button
          key={label}
          label={label}
          // A button that is disabled would lose the focus at the last page.
          aria-disabled={cursor === null}
          onClick={() => cursor !== null && location.assign(withQuery(route, { cursor }))}
        />
      ))}
      <label for="size">Per page</label>
      <select id="size" value={readQuery(route.query).per_page} onChange={(event) => resize(event.currentTarget.value)}>
        {pageSizes.map((size) => (
          <option key={size}>{size}</option>
        ))}
      </select>
    </nav>
  );
}

type EmptyProps = Readonly<{ search: string; mayWrite: boolean; onClear: () => void }>;

function Empty({ search, mayWrite, onClear }: EmptyProps) {
  if (search === "") return <p class="empty">No websites yet. {mayWrite && <a href="#/add">Add the first ones</a>}</p>;
  return (
    <p class="empty">
      No domain contains “{search}”. <Button label="Show all" onClick={onClear} />{" "}
      {mayWrite && <a href={`#/add?domains=${encodeURIComponent(search)}`}>Add {search}</a>}
    </p>
  );
}
