import { useRef } from "preact/hooks";
import { keepPlace, type Route, readQuery, withQuery } from "../data/route.ts";
import { useDesk } from "../data/session.ts";
import type { Row } from "../data/websites.ts";
import { choices, lists } from "../words/settings.ts";
import { many, toDate } from "../words/text.ts";
import { ClientRow } from "./client-row.tsx";

interface TableProps {
  /** All that were found, in order. */
  readonly found: readonly Row[];
  /** Those that this page shows. */
  readonly shown: readonly Row[];
  readonly route: Route;
}

export function WebsitesTable({ found, shown, route }: TableProps) {
  const { mayWrite, work, pick } = useDesk();
  const picked = mayWrite ? work.picked : undefined;
  const last = useRef(0);
  const pickSome = (some: readonly Row[], isOn: boolean) => {
    const next = new Set(picked);
    for (const { website } of some) isOn ? next.add(website.id) : next.delete(website.id);
    pick(next);
  };
  /** With Shift, also those between this row and the one before, wherever a page or a filter has put it. */
  const pickRow = (row: Row, isOn: boolean, isRange: boolean) => {
    const at = found.indexOf(row);
    const before = isRange ? found.findIndex(({ website }) => website.id === last.current) : -1;
    const from = before === -1 ? at : before;
    pickSome(found.slice(Math.min(from, at), Math.max(from, at) + 1), isOn);
    last.current = row.website.id;
  };
  const isGrouped = route.query.get("group") === "client";
  return (
    <table>
      <caption class="hidden">Websites</caption>
      <thead>
        <tr>
          {picked && (
            <td>
              <input
                type="checkbox"
                aria-label="Select this page"
                checked={shown.every(({ website }) => picked.has(website.id))}
                onChange={(event) => pickSome(shown, event.currentTarget.checked)}
              />
            </td>
          )}
          <SortedColumn route={route} field="domain" label="Domain" first="asc" />
          {choices.map(({ field, short }) => (
            <th key={field} scope="col" class={widthOf(field)}>
              {short}
            </th>
          ))}
          <th scope="col" class="wide">
            Excluded
          </th>
          <SortedColumn route={route} field="id" label="Added" first="desc" />
        </tr>
      </thead>
      <tbody>
        {shown.map((row, at) => [
          isGrouped && row.client !== shown[at - 1]?.client && (
            <ClientRow key={row.client} {...{ found, route, picked }} client={row.client} onPick={pickSome} />
          ),
          <WebsiteRow
            key={row.website.id}
            row={row}
            isPicked={picked?.has(row.website.id)}
            onPick={(isOn, isRange) => pickRow(row, isOn, isRange)}
          />,
        ])}
      </tbody>
    </table>
  );
}

/** A narrow screen shows the domain and who may see its statistics. */
function widthOf(field: string): string {
  return field === "privacy" || field === "domain" ? "" : "wide";
}

interface RowProps {
  readonly row: Row;
  /** Undefined if nothing can be selected. */
  readonly isPicked: boolean | undefined;
  readonly onPick: (isOn: boolean, isRange: boolean) => void;
}

function WebsiteRow({ row: { website, name }, isPicked = false, onPick }: RowProps) {
  const { mayWrite } = useDesk();
  const excluded = lists.filter(({ field }) => website[field].length > 0);
  return (
    <tr class={isPicked ? "on" : ""}>
      {mayWrite && (
        <td>
          <RowCheckbox label={`Select ${name}`} isOn={isPicked} onPick={onPick} />
        </td>
      )}
      <th scope="row">
        <a href={`#/websites/${website.id}`} onClick={(event) => openRow(event, website.id)}>
          <bdi>{name}</bdi>
        </a>
        {/* Two domains that look alike differ here. */}
        {name !== website.domain && <span class="help"> {website.domain}</span>}
      </th>
      {choices.map(({ field, names }) => (
        <td key={field} class={widthOf(field)}>
          <span class={`value ${field}-${website[field]}`}>{names[website[field]]}</span>
        </td>
      ))}
      <td class="wide">{excluded.map(({ field, noun }) => many(website[field].length, noun)).join(", ") || "–"}</td>
      <td class="wide" title={website.created_at}>
        {toDate(website.created_at)}
      </td>
    </tr>
  );
}

type CheckboxProps = Readonly<{ label: string; isOn: boolean; onPick: RowProps["onPick"] }>;

function RowCheckbox({ label, isOn, onPick }: CheckboxProps) {
  // Browsers differ in when Space with Shift clicks, so here it never does.
  const isSpace = ({ key, shiftKey }: KeyboardEvent) => key === " " && shiftKey;
  return (
    <input
      type="checkbox"
      aria-label={label}
      checked={isOn}
      onClick={(event) => onPick(event.currentTarget.checked, event.shiftKey)}
      onKeyDown={(event) => {
        if (!isSpace(event)) return;
        event.preventDefault();
        if (!event.repeat) onPick(!isOn, true);
      }}
      onKeyUp={(event) => isSpace(event) && event.preventDefault()}
    />
  );
}

/** A tab that Ctrl or ⌘ opens would have no key. One that the page opens gets a copy of what this tab keeps. */
function openRow(event: MouseEvent & { readonly currentTarget: HTMLAnchorElement }, id: number): void {
  if (!event.ctrlKey && !event.metaKey) {
    keepPlace(id);
  } else {
    event.preventDefault();
    open(event.currentTarget.href, "_blank");
  }
}

interface ColumnProps {
  readonly route: Route;
  readonly field: "domain" | "id";
  readonly label: string;
  /** The order that the first click chooses. */
  readonly first: "asc" | "desc";
}

function SortedColumn({ route, field, label, first }: ColumnProps) {
  const { sort_by, sort } = readQuery(route.query);
  const order = sort_by === field ? sort : "none";
  const next = { none: first, asc: "desc", desc: "asc" }[order];
  const { name, arrow } = orders[order];
  return (
    <th scope="col" class={widthOf(field)} aria-sort={name}>
      <a class="sorter" href={withQuery(route, { sort_by: field, sort: next, page: "" })}>
        {label} <span aria-hidden="true">{arrow}</span>
      </a>
    </th>
  );
}

const orders = {
  none: { name: "none", arrow: "↕" },
  asc: { name: "ascending", arrow: "↑" },
  desc: { name: "descending", arrow: "↓" },
} as const;
