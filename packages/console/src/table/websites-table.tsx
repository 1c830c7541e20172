import type { Version } from "@siteward/sdk/bulk";
import { toUnicodeDomain } from "@siteward/sdk/fields";
import { useRef } from "preact/hooks";
import { type Route, readQuery, withQuery } from "../data/route.ts";
import { useDesk } from "../data/session.ts";
import { choices, lists } from "../words/settings.ts";
import { many } from "../words/text.ts";

interface TableProps {
  readonly versions: readonly Version[];
  readonly route: Route;
}

export function WebsitesTable({ versions, route }: TableProps) {
  const { mayWrite, work, pick } = useDesk();
  const picked = mayWrite ? work.picked : undefined;
  const last = useRef(0);
  const pickSome = (some: readonly Version[], isOn: boolean) => {
    const next = new Map(picked);
    for (const version of some) {
      if (isOn) next.set(version.website.id, version);
      else next.delete(version.website.id);
    }
    pick(next);
  };
  /** With Shift, also those between this row and the one before. */
  const pickRow = (at: number, isOn: boolean, isRange: boolean) => {
    const from = isRange ? last.current : at;
    pickSome(versions.slice(Math.min(from, at), Math.max(from, at) + 1), isOn);
    last.current = at;
  };
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
                checked={versions.every(({ website }) => picked.has(website.id))}
                onChange={(event) => pickSome(versions, event.currentTarget.checked)}
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
        {versions.map((version, at) => (
          <Row
            key={version.website.id}
            version={version}
            isPicked={picked?.has(version.website.id)}
            onPick={(isOn, isRange) => pickRow(at, isOn, isRange)}
          />
        ))}
      </tbody>
    </table>
  );
}

/** A narrow screen shows the domain and who may see its statistics. */
function widthOf(field: string): string {
  return field === "privacy" || field === "domain" ? "" : "wide";
}

interface RowProps {
  readonly version: Version;
  /** Undefined if nothing can be selected. */
  readonly isPicked: boolean | undefined;
  readonly onPick: (isOn: boolean, isRange: boolean) => void;
}

function Row({ version: { website }, isPicked, onPick }: RowProps) {
  const domain = toUnicodeDomain(website.domain);
  const excluded = lists.filter(({ field }) => website[field].length > 0);
  return (
    <tr class={isPicked ? "on" : ""}>
      {isPicked !== undefined && (
        <td>
          <input
            type="checkbox"
            aria-label={`Select ${domain}`}
            checked={isPicked}
            onClick={(event) => onPick(event.currentTarget.checked, event.shiftKey)}
          />
        </td>
      )}
      <th scope="row">
        <a href={`#/websites/${website.id}`}>{domain}</a>
      </th>
      {choices.map(({ field, options }) => (
        <td key={field} class={widthOf(field)}>
          {options[website[field]]}
        </td>
      ))}
      <td class="wide">{excluded.map(({ field, noun }) => many(website[field].length, noun)).join(", ") || "–"}</td>
      <td class="wide">{website.created_at.slice(0, 10)}</td>
    </tr>
  );
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
      <a class="sorter" href={withQuery(route, { sort_by: field, sort: next, cursor: "" })}>
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
