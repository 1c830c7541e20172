/**
 * Returns a domain for a number. Different numbers have different domains. Neighbouring numbers have unrelated words, so that
 * domains are not in the order of ids. Each word of a list is in 2 % of the domains.
 */
export function domainOf(number: number): string {
  const mixed = Math.imul(number ^ (number >>> 11), 0x2c1b3c6d) >>> 0;
  const adjective = adjectives[mixed % adjectives.length] ?? "";
  const noun = nouns[Math.floor(mixed / 64) % nouns.length] ?? "";
  return `${adjective}${noun}-${number.toString(36)}.com`;
}

/** A word that is in 2 % of the domains. */
export const commonWord = "lantern";

const adjectives = words(`
  amber autumn brave bright cosmic dapper emerald fierce gentle golden hidden humble jolly kind lively local lucky
  mellow mighty misty modern noble olive polished proud quick quiet rapid royal rustic salty shiny silent silver
  simple sleepy smart snowy solid spicy sunny swift tender tidy urban vivid warm wild winter young
`);

const nouns = words(`
  acorn anchor atlas bakery barn basket beacon bicycle bridge camera canyon castle cedar cellar clinic coffee comet
  dental dolphin falcon flower forest garden glacier guitar hammer harbor island jewel kitchen ladder lantern library
  market meadow mirror museum orchard otter painter pepper pilot planet pottery quarry river rocket studio tailor
  travel
`);

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
