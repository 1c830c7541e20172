/**
 * Returns a different domain for every number below 4,194,304. Neighbouring numbers have unrelated domains, so that domains are
 * not in the order of ids, and each part of a domain is equally frequent at every size.
 */
export function toDomain(number: number): string {
  let rest = scramble(number);
  const take = (words: readonly string[]) => {
    const word = words[rest % words.length] ?? "";
    rest = Math.floor(rest / words.length);
    return word;
  };
  const [prefix, adjective, joint, noun, ending] = [prefixes, adjectives, joints, nouns, endings].map(take);
  return `${prefix}${adjective}${joint}${noun}${rest === 0 ? "" : rest}.${ending}`;
}

const bits = 22;

/** Maps each number of 22 bits to another number of 22 bits. Every step is reversible, so no two results are equal. */
function scramble(number: number): number {
  const mask = 2 ** bits - 1;
  let mixed = number & mask;
  for (const factor of [0x2c1b3c6d, 0x297a2d39]) {
    mixed = Math.imul(mixed ^ (mixed >>> (bits / 2)), factor) & mask;
  }
  return mixed ^ (mixed >>> (bits / 2));
}

const prefixes = ["", "e", "go", "my", "the", "www.", "shop.", "blog."];
const joints = ["", "-"];
const endings = ["com", "com.br", "co.uk", "com.au", "net", "org", "de", "example.com"];

const adjectives = words(`
  amber ancient arctic autumn bold brave bright calm clever coastal cosmic crimson curious daily dapper eager early
  emerald fancy fierce fresh gentle giant golden grand happy hidden humble icy jolly keen kind lively local lucky
  mellow mighty misty modern noble northern odd olive open polished proud quick quiet rapid royal rustic salty shiny
  silent silver simple sleepy smart snowy solid southern spicy
`);

const nouns = words(`
  acorn anchor apple atlas bakery barn basket beacon bicycle bridge brook camera canyon castle cedar cellar cloud
  clinic coffee comet corner dental desk dolphin dragon falcon farm fitness flower forest forge fox garden glacier
  guitar hammer harbor hotel island jewel kitchen ladder lantern library market meadow mirror museum oak orchard
  otter painter pepper pilot planet pottery quarry river rocket studio tailor travel
`);

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
