import type { AliasEvent, Event, MappingEvent, ScalarEvent, SequenceEvent } from "js-yaml";
import { maxWebsites } from "../entries/max-websites.ts";
import type { Anchors } from "./anchors.ts";
import { listKey, type TextPart, tooManyItems } from "./cut-site-file.ts";
import { findItemPlace } from "./find-item-place.ts";
import { LineFinder } from "./line-finder.ts";
import { ReadingStopped } from "./reading-stopped.ts";
import { statedTwice } from "./stated-twice.ts";
import { isRecord, type OnItem, type YamlField, type YamlValue } from "./yaml-value.ts";

/** What is built, and what the parts of a file share. */
interface Building {
  readonly part: TextPart;
  readonly events: readonly Event[];
  readonly library: Pick<typeof import("js-yaml"), "COLLECTION_STYLE" | "EVENT_ID" | "SCALAR_STYLE" | "getScalarValue">;
  readonly anchors: Anchors;
  /** Called with each item of the list of websites, in order. The list does not keep them, unless an alias can repeat it. */
  readonly onItem: OnItem;
}

/** The most fields of a mapping. A hundred thousand sections took 80 MB. */
const maxFields = 10_000;

const tooManyFields =
  `is past the limit of ${maxFields.toLocaleString("en-US")} fields of a mapping; a website needs seven, ` +
  "so remove the others";

/** The most mappings that one merge key joins. */
const maxMerged = 100;

/** Tags that say of a value what it is anyway. */
const knownTags = { SCALAR: ["!", "!!str"], SEQUENCE: ["!!seq"], MAPPING: ["!!map"] } as const;

/**
 * Builds the value of a part from the events of the library, which has no lines in its own values.
 *
 * @returns undefined if the part has no value
 * @throws ReadingStopped
 */
export function buildValue(building: Building): YamlValue | undefined {
  return new Builder(building).build();
}

/** Reads the events in order. */
class Builder {
  readonly #building: Building;
  readonly #lines: LineFinder;
  #index = 0;
  #size = 0;

  constructor(building: Building) {
    this.#building = building;
    this.#lines = new LineFinder(building.part);
  }

  build(): YamlValue | undefined {
    const { events, library } = this.#building;
    if (events.length === 0) return undefined;
    this.#index = 1;
    const { part, onItem } = this.#building;
    const value = this.#value(part.isWebsites ? onItem : undefined);
    // The end of the document.
    this.#index += 1;
    const next = events[this.#index];
    if (next?.type !== library.EVENT_ID.DOCUMENT) return value;
    throw new ReadingStopped(this.#lines.lineOfNext("---"), "is not valid YAML: Source contains multiple documents");
  }

  /** @param onItem called with the items of the value, if it is a list */
  #value(onItem?: OnItem): YamlValue {
    const { EVENT_ID } = this.#building.library;
    const event = this.#building.events[this.#index];
    this.#index += 1;
    this.#size += 1;
    if (event?.type === EVENT_ID.ALIAS) return this.#alias(event);
    if (event?.type === EVENT_ID.SCALAR) return this.#anchored(event, knownTags.SCALAR, () => this.#scalar(event));
    if (event?.type === EVENT_ID.SEQUENCE)
      return this.#anchored(event, knownTags.SEQUENCE, () => this.#sequence(event, onItem));
    if (event?.type === EVENT_ID.MAPPING) return this.#anchored(event, knownTags.MAPPING, () => this.#mapping(event));
    throw new ReadingStopped(this.#lines.line, "is not valid YAML: a value is missing");
  }

  /** Checks the tag of a value, builds it, and keeps it for aliases. */
  #anchored(
    event: ScalarEvent | SequenceEvent | MappingEvent,
    tags: readonly string[],
    build: () => YamlValue,
  ): YamlValue {
    const tag = this.#textAt(event.tagStart, event.tagEnd);
    if (tag !== "" && !tags.includes(tag)) {
      throw new ReadingStopped(
        this.#lines.lineAt(event.tagStart),
        `is not valid YAML: Unresolved tag: ${tag.slice(0, 60)}`,
      );
    }
    const name = this.#textAt(event.anchorStart, event.anchorEnd);
    // Before what is in the value, which can have an anchor of the same name.
    const anchored = name === "" ? undefined : this.#building.anchors.add(name, this.#lines.lineAt(event.anchorStart));
    const sizeBefore = this.#size;
    const value = build();
    if (anchored !== undefined) Object.assign(anchored, { data: value.data, size: this.#size - sizeBefore + 1 });
    return value;
  }

  #alias({ anchorStart, anchorEnd }: AliasEvent): YamlValue {
    const line = this.#lines.lineAt(anchorStart);
    return { data: this.#building.anchors.find(this.#textAt(anchorStart, anchorEnd), line), line };
  }

  #scalar(event: ScalarEvent): YamlValue {
    const { part, library } = this.#building;
    const { LITERAL_BLOCK, FOLDED_BLOCK } = library.SCALAR_STYLE;
    const isBlock = event.style === LITERAL_BLOCK || event.style === FOLDED_BLOCK;
    // The text of a block starts below its | or >, behind a line break.
    const line = this.#lines.lineAt(isBlock ? event.valueStart - 1 : event.valueStart);
    return { data: library.getScalarValue(part.text, event), line };
  }

  #sequence({ start, style, anchorStart }: SequenceEvent, onItem: OnItem | undefined): YamlValue {
    const line = this.#lines.lineAt(start);
    const { part, library } = this.#building;
    const isBlock = style === library.COLLECTION_STYLE.BLOCK;
    const dash = isBlock ? `${" ".repeat(start - part.text.lastIndexOf("\n", start) - 1)}-` : "";
    const list = { events: this.#building.events, start: this.#index, ids: library.EVENT_ID };
    const excess = onItem && findItemPlace(list, maxWebsites + 1);
    if (excess !== undefined) throw new ReadingStopped(this.#lines.lineAt(excess), tooManyItems);
    const isKept = onItem === undefined || anchorStart !== -1;
    const data: unknown[] = [];
    for (let isFirst = true; !this.#hasEnded(); isFirst = false) {
      // An item without a value has no place but that of its dash.
      if (isBlock && !isFirst && this.#isEmpty()) this.#lines.lineOfNext(dash);
      const item = this.#value();
      onItem?.(item);
      if (isKept) data.push(item.data);
    }
    return { data, line, isWritten: true };
  }

  /** Whether the next value is nothing, as in an item without text. */
  #isEmpty(): boolean {
    const event = this.#building.events[this.#index];
    return event?.type === this.#building.library.EVENT_ID.SCALAR && event.valueStart === -1;
  }

  #mapping({ start }: MappingEvent): YamlValue {
    const line = this.#lines.lineAt(start);
    const isFile = this.#size === 1;
    const fields = new Map<string, YamlField>();
    const merged = new Map<string, unknown>();
    while (!this.#hasEnded()) {
      const isMerge = this.#isMergeKey();
      const key = this.#value();
      // A second list is refused below, so none of its websites is read.
      const isList = isFile && key.data === listKey && !fields.has(listKey);
      const value = this.#value(isList ? this.#building.onItem : undefined);
      if (isMerge) this.#merge(merged, value.data, key.line);
      else if (typeof key.data !== "string")
        throw new ReadingStopped(key.line, "is not valid YAML: a key is not a string");
      else if (fields.has(key.data)) throw new ReadingStopped(key.line, statedTwice(key.data));
      else if (fields.size === maxFields) throw new ReadingStopped(key.line, tooManyFields);
      else fields.set(key.data, { line: key.line, value });
    }
    for (const [name, { value }] of fields) merged.set(name, value.data);
    // Unlike an assignment, this makes a field of "__proto__", too.
    return { data: Object.fromEntries(merged), line, fields };
  }

  #isMergeKey(): boolean {
    const { part, library, events } = this.#building;
    const event = events[this.#index];
    if (event?.type !== library.EVENT_ID.SCALAR || event.style !== library.SCALAR_STYLE.PLAIN) return false;
    return part.text.slice(event.valueStart, event.valueEnd) === "<<";
  }

  /** Adds the fields of a mapping, or of several, of which the first counts. */
  #merge(fields: Map<string, unknown>, source: unknown, line: number): void {
    const sources: readonly unknown[] = Array.isArray(source) ? source : [source];
    if (sources.length > maxMerged) {
      throw new ReadingStopped(line, `has more than ${maxMerged} mappings after <<; state their fields in one of them`);
    }
    for (const one of sources) {
      if (!isRecord(one)) throw new ReadingStopped(line, "is not valid YAML: << is not followed by a mapping");
      const entries = Object.entries(one);
      this.#building.anchors.repeat(entries.length, line);
      for (const [name, value] of entries) if (!fields.has(name)) fields.set(name, value);
    }
  }

  /** Whether the list or mapping that is read has no more values. Steps over its end. */
  #hasEnded(): boolean {
    const { events, library } = this.#building;
    const event = events[this.#index];
    if (event !== undefined && event.type !== library.EVENT_ID.POP) return false;
    this.#index += 1;
    return true;
  }

  #textAt(start: number, end: number): string {
    return start === -1 ? "" : this.#building.part.text.slice(start, end);
  }
}
