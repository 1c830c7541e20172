/** A part of an OpenAPI document. */
type Part = Readonly<Record<string, unknown>>;
type Parts<Value> = Readonly<Record<string, Value>>;

interface Schema extends Part {
  readonly $ref?: string;
  readonly properties?: Parts<Part>;
  readonly required?: readonly string[];
}

interface MediaType extends Part {
  readonly schema: Schema;
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
 * - Bodies are filled in so that sending them as they are changes nothing: required fields are empty, which is a 422, and others are
 *   missing. Each field of a form is filled in by its default, and without one, the page would invent a value.
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
  const content = mapValues({ ...(inJson && { [json]: inJson }), ...forms }, (type) => fillIn(type, schemas));
  return { ...operation, responses, requestBody: { ...requestBody, content } };
}

function fillIn({ schema, ...type }: MediaType, schemas: Parts<Schema>): MediaType {
  const { properties, ...named } = schemas[schema.$ref?.replace("#/components/schemas/", "") ?? ""] ?? {};
  const filled = mapValues(properties ?? {}, (property) => ({ ...property, default: toText(property["default"]) }));
  const example = Object.fromEntries((named.required ?? []).map((name) => [name, ""]));
  return { ...type, example, schema: { ...named, properties: filled } };
}

/** A list is empty by default. The field of a form is then empty, too. */
function toText(value: unknown): unknown {
  return value === undefined || Array.isArray(value) ? "" : value;
}

function toShortResponse({ description }: Part): Part {
  return { description };
}

function mapValues<Value, Result>(values: Parts<Value>, map: (value: Value, name: string) => Result): Parts<Result> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]));
}
