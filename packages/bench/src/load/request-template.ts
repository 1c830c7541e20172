import { domainOf } from "./domain-of.ts";

/**
 * A request that callers send again and again. In the path and the body, `{id}` is the id of a random website,
 * `{number}` a number that no other request has, and `{domain}` a domain that no other request has.
 */
export interface RequestTemplate {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly body?: string;
}

/** What the placeholders of a template stand for. */
interface TemplateValues {
  /** The ids are 1 to this number. */
  readonly websiteCount: number;
  /** The first of the numbers that no other request has. */
  readonly firstNumber: number;
}

/** Returns a function that returns the next request. A request without placeholders is built once. */
export function prepareRequests(
  { method, path, body }: RequestTemplate,
  headers: string,
  { websiteCount, firstNumber }: TemplateValues,
): () => string {
  let number = firstNumber;
  const sources: Readonly<Record<string, () => string>> = {
    "{id}": () => String(1 + Math.floor(Math.random() * websiteCount)),
    "{number}": () => String(number++),
    "{domain}": () => domainOf(number++),
  };
  const fill = (text: string) => text.replace(placeholder, (name) => sources[name]?.() ?? name);
  const head = `${method} ${path} HTTP/1.1\r\n${headers}`;
  if (body === undefined) {
    const fixed = `${head}\r\n`;
    if (fixed.search(placeholder) === -1) return () => fixed;
    return () => fill(fixed);
  }
  return () => {
    const filled = fill(body);
    return `${fill(head)}content-type: application/json\r\ncontent-length: ${filled.length}\r\n\r\n${filled}`;
  };
}

const placeholder = /\{(?:id|number|domain)\}/g;
