/** The target of a request: the path as a peer reads it, and its parts as they came. */
export interface Target {
  readonly path: string;
  readonly head: string;
  readonly query: string;
  readonly tail: string;
}

export function readTarget(text: string): Target {
  const [, head = "", query = "", tail = ""] = /^([^?#]*)\??([^#]*)(.*)$/s.exec(text) ?? [];
  return { path: normalize(head), head, query, tail };
}

/** Whether nothing of a path is to be decoded or resolved. */
const plain = /^(\/[\w-][\w.-]*)+$/;

function normalize(path: string): string {
  if (plain.test(path)) return path;
  const names: string[] = [];
  const decode = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));
  const decoded = path.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, "").replaceAll(/%([2-7][\da-f])/gi, decode);
  for (const name of decoded.split(/[\\/]+/)) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return `/${names.join("/")}`;
}
