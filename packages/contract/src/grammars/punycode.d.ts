/** The package has no types. Its name without a file is a module of Node. */
declare module "punycode/punycode.es6.js" {
  export function decode(encoded: string): string;
}
