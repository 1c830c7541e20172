import type { WebsitePage } from "@siteward/sdk";
import { downloadCsv } from "../data/csv.ts";
import { pageSizes, type Route, readQuery, withQuery } from "../data/route.ts";
import { useDesk } from "../data/session.ts";
import { toVersions, useSearch, useWebsites } from "../data/use-websites.ts";
import { Button, Failure, Jump, Title } from "../parts/parts.tsx";
import { Complaints, LastRun } from "../parts/run.tsx";
import { Selection } from "../table/selection.tsx";
import { WebsitesTable } from "../table/websites-table.tsx";
import { many, say } from "../words/text.ts";

/** The list of websites: searched, sorted, selected. */
export function WebsitesScreen({ route }: { readonly route: Route }) {
  const { client, mayWrite, work, notify } = useDesk();
  const { page, fault, reload } = useWebsites(route);
  const { search, term, setTerm } = useSearch(route);
  const { picked, complaints } = work;
  const download = () =>
    void downloadCsv(client, search, new Set(picked.keys()), notify).catch((error) => notify(say(error)));
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
        {mayWrite && <LastRun />}
        <Button label={picked.size > 0 ? "Export selected (CSV)" : "Export CSV"} onClick={download} />
      </div>
      <Complaints complaints={complaints} />
      {picked.size > 0 && <Selection search={search} total={page?.meta.total ?? 0} />}
      {fault !== "" && <Failure onRetry={reload}>{fault}</Failure>}
      {page === undefined && fault === "" && <p>Loading …</p>}
      {page?.data.length === 0 && <Empty search={search} mayWrite={mayWrite} onClear={() => setTerm("")} />}
      {page !== undefined && page.data.length > 0 && (
        <>
          <Jump class="skip" to="pages">
            Skip the table
          </Jump>
          <WebsitesTable versions={toVersions(page)} route={route} />
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
