/** The service's keys are longer by far. A shorter one is a stand-in, and may occur in an answer by chance. */
const minKeyLength = 8;

/** Makes a function that takes the API key out of a text, wherever a server or a fetch may have echoed it. */
export function createRedact(apiKey: string): (text: string) => string {
  return (text) => (apiKey.length < minKeyLength ? text : text.replaceAll(apiKey, "[API key]"));
}
