/** The values of a field by name. */
export type NamedValues<Value extends number = number> = Readonly<Record<string, Value>>;

/** Describes the values of a field for its documentation, such as "0 = Disabled, 1 = Enabled". */
export function describeNamedValues(values: NamedValues): string {
  return Object.entries(values)
    .map(([name, value]) => `${value} = ${name}`)
    .join(", ");
}

/** Describes the values to send, as the end of a sentence such as "is 3; send 0 (Disabled) or 1 (Enabled)". */
export function expectNamedValues(values: NamedValues): string {
  const choices = Object.entries(values).map(([name, value]) => `${value} (${name})`);
  return choices.join(", ").replace(/, (?=[^,]*$)/, " or ");
}
