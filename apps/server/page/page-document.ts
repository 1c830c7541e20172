/** A part of an OpenAPI document. */
type Part = Readonly<Record<string, unknown>>;
type Parts<Value> = Readonly<Record<string, Value>>;

interface Schema extends Part {
  readonly $ref?: string;
  readonly properties?: Parts<Part>;
}

interface MediaType extends Part {
  readonly schema: Schema;
  readonly example: Part;
}

interface Operation extends Part {
  readonly requestBody?: Part & { readonly content: Parts<MediaType> };
  readonly responses: Parts<Part>;
}

/** The parts of the OpenAPI document that the page changes. */
export interface ApiDocument extends Part {
  readonly info: Part & { readonly version: string; readonly description: string };
  readonly paths: Parts<Parts<Operation>>;
  readonly components: Part &
    Readonly<Record<"parameters" | "responses", Parts<Part>>> & { readonly schemas: Parts<Schema> };
}

const json = "application/json";

/**
 * Returns the OpenAPI document as the page shows it.
 *
 * - Requests go to where the page came from, behind any prefix. The browser allows no other server. Examples name it too.
 * - Headers have no example. The page fills examples in, and a first try with the entity tag of another record is a 412.
 * - JSON is the first format of a body, because the page shows it as one example.
 * - Each field of a form gets its part of the form's example, because the page fills a form in field by field. Without an example it
 *   invents a password, which the server refuses.
 * - Errors are described without their headers and examples, which are the same everywhere and take nine of ten screens.
 */
export function toPageDocument(document: ApiDocument, pageUrl: string): ApiDocument {
  const { info, components } = document;
  const url = new URL(".", pageUrl).href.replace(/\/$/, "");
  return {
    ...document,
    info: { ...info, description: info.description.replace(/(?<=SITEWARD_BASE_URL=)\S+/, () => url) },
    servers: [{ url }],
    paths: mapValues(document.paths, (path) =>
      mapValues(path, (operation) => toPageOperation(operation, components.schemas)),
    ),
    components: {
      ...components,
      parameters: mapValues(components.parameters, ({ example: _, ...parameter }) => parameter),
      responses: mapValues(components.responses, toShortResponse),
    },
  };
}

function toPageOperation({ requestBody, ...operation }: Operation, schemas: Parts<Schema>): Operation {
  const responses = mapValues(operation.responses, (response, status) =>
    Number(status) < 400 || "$ref" in response ? response : toShortResponse(response),
  );
  if (requestBody === undefined) return { ...operation, responses };
  const { [json]: inJson, ...forms } = requestBody.content;
  const content = { ...(inJson && { [json]: inJson }), ...mapValues(forms, (form) => fillForm(form, schemas)) };
  return { ...operation, responses, requestBody: { ...requestBody, content } };
}

function fillForm({ schema, example, ...form }: MediaType, schemas: Parts<Schema>): MediaType {
  const { properties, ...named } = schemas[schema.$ref?.replace("#/components/schemas/", "") ?? ""] ?? {};
  // The page prefers a default to an example.
  const filled = mapValues(properties ?? {}, (property, name) =>
    name in example ? { ...property, default: inOneLine(example[name]) } : property,
  );
  return { ...form, example, schema: { ...named, properties: filled } };
}

/** A field of the page has one line, which would join the entries of a list. Commas separate them as well. */
function inOneLine(value: unknown): unknown {
  return typeof value === "string" ? value.replaceAll("\n", ",") : value;
}

function toShortResponse({ description }: Part): Part {
  return { description };
}

function mapValues<Value, Result>(values: Parts<Value>, map: (value: Value, name: string) => Result): Parts<Result> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]));
}
