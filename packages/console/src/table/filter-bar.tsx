import { useEffect, useRef, useState } from "preact/hooks";
import { isFiltered, questions, withoutFilter } from "../data/filter.ts";
import { type Route, readRoute, withQuery } from "../data/route.ts";
import { Choice } from "../parts/fields.tsx";
import { Button } from "../parts/parts.tsx";
import { choices } from "../words/settings.ts";

interface Props {
  readonly route: Route;
  /** How many websites of the account have each value. */
  readonly counts: ReadonlyMap<string, number>;
  readonly fault: string;
}

/** What is asked of the websites. All of it is in the URL, so a filter is a bookmark. */
export function FilterBar({ route, counts, fault }: Props) {
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
      {choices.map(({ field, short, names }) => (
        <select
          key={field}
          aria-label={short}
          class={query.has(field) ? "chosen" : ""}
          value={query.get(field) ?? ""}
          onChange={(event) => set({ [field]: event.currentTarget.value })}
        >
          <option value="">{short}</option>
          {Object.entries(names).map(([value, name]) => (
            <option key={value} value={value}>
              {short}: {name} ({(counts.get(`${field}=${value}`) ?? 0).toLocaleString("en")})
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
  const [text, setText] = useState(value);
  const sent = useRef(value);
  useEffect(() => {
    // The URL was changed by something else, such as the way back.
    if (value !== sent.current) setText(value);
    sent.current = value;
  }, [value]);
  useEffect(() => {
    if (text.trim() === value) return;
    const send = () => {
      sent.current = text.trim();
      onText(sent.current);
    };
    const timer = setTimeout(send, pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <input
      type="search"
      aria-label={label}
      aria-invalid={isWrong}
      placeholder={label}
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
    />
  );
}
