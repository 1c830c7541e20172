/** Removes the API key from a string, wherever a server or a `fetch` may have echoed it. */
export type Redact = (text: string) => string;

/** The service's keys are far longer. A shorter one is a placeholder, and may occur in a response by chance. */
const minKeyLength = 8;

/** Creates the function that removes this API key. */
export function createRedact(apiKey: string): Redact {
  return (text) => (apiKey.length < minKeyLength ? text : text.replaceAll(apiKey, "[API key]"));
}

/** Returns a copy of the headers with every value redacted. */
export function redactHeaders(headers: Headers, redact: Redact): Headers {
  return new Headers([...headers].map(([name, value]) => [name, redact(value)]));
}
