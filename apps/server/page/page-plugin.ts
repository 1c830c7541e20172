type Props = Readonly<Record<string, unknown>>;
type Component = (props: Props) => unknown;

/** What Swagger UI passes to a plugin. */
interface System {
  readonly React: { readonly createElement: (component: Component, props: Props) => unknown };
}

/** A map of Immutable.js. */
interface ImmutableMap {
  readonly hasIn: (path: readonly string[]) => boolean;
  readonly setIn: (path: readonly string[], value: unknown) => ImmutableMap;
}

const authorization = ["headers", "Authorization"];

/** What the page changes in the components of Swagger UI. */
export const pagePlugin = {
  wrapComponents: {
    /** There is one server, so there is nothing to choose. Its list has no label either. */
    ServersContainer: () => () => null,
    /** Its name for screen readers, "Apply credentials", is not what the button says. */
    Button:
      (original: Component, { React }: System) =>
      ({ "aria-label": name, ...props }: Props) =>
        React.createElement(original, name === "Apply credentials" ? props : { ...props, "aria-label": name }),
    /** A field of a form that is empty is not sent. Swagger UI would send it: an update would empty both lists. */
    ParameterIncludeEmpty:
      (original: Component, { React }: System) =>
      ({ isIncludedOptions, ...props }: Props) =>
        React.createElement(original, {
          ...props,
          isIncludedOptions: { ...(isIncludedOptions as Props), defaultValue: false },
        }),
    /** Others who look at the screen must not see the key, and a copied line must not contain it. */
    curl:
      (original: Component, { React }: System) =>
      ({ request, ...props }: Props) =>
        React.createElement(original, { ...props, request: withoutKey(request as ImmutableMap) }),
    /** The browser must not remember the key, nor send it to a service that checks spelling. */
    Input:
      (original: Component, { React }: System) =>
      (props: Props) =>
        React.createElement(original, props["id"] === "auth-bearer-value" ? { ...props, ...secretInput } : props),
  },
};

const secretInput = { autoComplete: "off", spellCheck: false, "aria-label": "API key", placeholder: "swk_…" };

function withoutKey(request: ImmutableMap): ImmutableMap {
  return request.hasIn(authorization) ? request.setIn(authorization, "Bearer swk_…") : request;
}
