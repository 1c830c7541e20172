/** The target of a request as it came, in parts, and its path as a peer reads it. */
export interface Target {
  readonly head: string;
  readonly query: string;
  readonly tail: string;
  readonly path: string;
}

export function readTarget(text: string): Target {
  const [, head = "", query = "", tail = ""] = /^([^?#]*)\??([^#]*)(.*)$/s.exec(text) ?? [];
  return { head, query, tail, path: /^(\/[\w-][\w.-]*)+$/.test(head) ? head : normalize(head) };
}

/** Decodes a path, without what an absolute target has in front of it, and resolves its dots and slashes. */
function normalize(path: string): string {
  const names: string[] = [];
  const decode = (_match: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));
  const decoded = path.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, "").replaceAll(/%([2-7][\da-f])/gi, decode);
  for (const name of decoded.split(/[\\/]+/)) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return `/${names.join("/")}`;
}
