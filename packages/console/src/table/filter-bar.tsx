import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { isFiltered, questions, withoutFilter } from "../data/filter.ts";
import { readRoute, withQuery } from "../data/route.ts";
import { useDesk } from "../data/session.ts";
import type { Row } from "../data/websites.ts";
import { Choice } from "../parts/fields.tsx";
import { Button } from "../parts/parts.tsx";
import { choices } from "../words/settings.ts";
import { digits } from "../words/text.ts";

/** @param rows all websites of the account */
type Props = Readonly<{ rows: readonly Row[]; fault: string }>;

/** What is asked of the websites. All of it is in the URL, so a filter is a bookmark. */
export function FilterBar({ rows, fault }: Props) {
  const countAll = ({ field, names }: (typeof choices)[number]) =>
    Object.keys(names).map((value) => rows.filter((row) => row[field] === Number(value)).length);
  const counts = useMemo(() => choices.map(countAll), [rows]);
  const { route } = useDesk();
  const { query } = route;
  const [isOpen, setOpen] = useState(false);
  const ask = query.get("ask") ?? "exclude_ips";
  const set = (changes: Readonly<Record<string, string>>) => {
    const now = readRoute();
    // A person may have opened a website meanwhile, or set another filter.
    if (now.path === route.path) location.replace(withQuery(now, { page: "", ...changes }));
  };
  return (
    <search class={isOpen ? "filters open" : "filters"}>
      <TextFilter label="Search domains" value={query.get("search") ?? ""} onText={(search) => set({ search })} />
      <Button label="Filter" class="toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} />
      {choices.map(({ field, short, names }, choice) => (
        <select
          key={field}
          aria-label={short}
          class={query.has(field) ? "chosen" : ""}
          value={query.get(field) ?? ""}
          onChange={(event) => set({ [field]: event.currentTarget.value })}
        >
          <option value="">{short}</option>
          {Object.entries(names).map(([value, name], at) => (
            <option key={value} value={value}>
              {short}: {name} ({digits(counts[choice]?.[at] ?? 0)})
            </option>
          ))}
        </select>
      ))}
      <span class={query.has("entry") ? "pair chosen" : "pair"}>
        <select aria-label="Which entry" value={ask} onChange={(event) => set({ ask: event.currentTarget.value })}>
          {questions.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <TextFilter
          label={ask.endsWith("ips") ? "Address or network" : "Name of a parameter"}
          value={query.get("entry") ?? ""}
          isWrong={fault !== ""}
          onText={(entry) => set({ entry })}
        />
      </span>
      <Choice
        label="By client"
        isOn={query.get("group") === "client"}
        onPick={(isOn) => set({ group: isOn ? "client" : "" })}
      />
      {isFiltered(query) && (
        <a class="button" href={withoutFilter(route)}>
          Clear filter
        </a>
      )}
    </search>
  );
}

type TextProps = Readonly<{ label: string; value: string; isWrong?: boolean; onText: (text: string) => void }>;

const pauseMs = 120;

/** A field that asks once nothing was typed for a moment. */
function TextFilter({ label, value, isWrong = false, onText }: TextProps) {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef(0);
  useEffect(() => {
    // Something else has changed the URL, such as the way back. What is typed goes before it.
    if (input.current !== null && input.current !== document.activeElement) input.current.value = value;
  }, [value]);
  const ask = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => onText(currentTarget.value.trim()), pauseMs);
  };
  const about = { defaultValue: value, "aria-label": label, placeholder: label, "aria-invalid": isWrong };
  return <input type="search" ref={input} {...about} onInput={ask} />;
}
