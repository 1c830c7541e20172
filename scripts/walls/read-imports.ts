import {
  type BindingPattern,
  type Comment,
  type Expression,
  type ImportDeclarationSpecifier,
  type Node,
  parseSync,
  Visitor,
} from "oxc-parser";

/** One thing that a file takes from elsewhere. */
export interface Import {
  /** A path, a package, a built-in module, or a global such as `process`. Undefined if the name is computed. */
  readonly name: string | undefined;
  /**
   * `resolve`: only its place is found. `address`: another thread or process runs the file, or it is data.
   * `global`: no module is loaded.
   */
  readonly kind: "static" | "dynamic" | "require" | "resolve" | "address" | "global";
  /** Its place, in characters from the start of the file. */
  readonly start: number;
}

/** Globals that reach a platform, or run code that is not seen here. A name means its global wherever it is used, so no variable may have that name. */
const watchedGlobals = new Set([
  "EventSource",
  "Function",
  "WebSocket",
  "XMLHttpRequest",
  "eval",
  "fetch",
  "global",
  "globalThis",
  "process",
  "self",
]);

/** What a table calls the environment. */
const env = "process.env";

/** Functions that load a module. */
const loaders = new Set(["require", "createRequire", "getBuiltinModule"]);

/** Returns every import of a source file, in whatever form it is written. Types are imports like values. */
export function readImports(path: string, text: string): Import[] {
  const { program, errors, comments } = parseSync(path, text);
  const broken = errors.find(({ severity }) => severity === "Error");
  if (broken !== undefined) throw new Error(`${path} cannot be parsed: ${broken.message}`);
  const imports: Import[] = [];
  const add = (kind: Import["kind"], { start }: Node, names: readonly (string | undefined)[]) =>
    imports.push(...names.map((name) => ({ kind, start, name })));
  /** Nodes that an outer node has explained: names of properties, and loaders that are called. */
  const known = new Set<Node>();
  new Visitor({
    ...modules(add, known),
    ...calls(add, known),
    ...names(add, known),
  }).visit(program);
  return [...imports, ...comments.flatMap(readReference)];
}

/** Reads `/// <reference path="…" />`, or types of it. */
function readReference({ value, start }: Comment): Import[] {
  const [, kind, name = ""] = /^\/\s*<reference\s+(path|types)\s*=\s*["']([^"']*)/.exec(value) ?? [];
  if (kind === undefined) return [];
  return [{ name: kind === "path" && !name.startsWith(".") ? `./${name}` : name, kind: "static", start }];
}

type Add = (kind: Import["kind"], node: Node, names: readonly (string | undefined)[]) => void;
type Handlers = ConstructorParameters<typeof Visitor>[0];

/** `import`, `export … from`, `import()`, `import("…")` types and `import … = require("…")`, `declare module "…"`. */
function modules(add: Add, known: Set<Node>): Handlers {
  return {
    ImportDeclaration: (node) => {
      add("static", node, [node.source.value]);
      for (const specifier of node.specifiers) specified(add, node.source.value, specifier);
    },
    ExportAllDeclaration: (node) => add("static", node, [node.source.value]),
    ExportNamedDeclaration: (node) => add("static", node, node.source === null ? [] : [node.source.value]),
    ImportExpression: (node) => add("dynamic", node, addressOf(node.source) ?? textsOf(node.source)),
    TSModuleDeclaration: ({ id }) => {
      known.add(id);
      if (id.type === "Literal") add("static", id, [id.value]);
    },
    TSImportType: (node) => add("static", node, [node.source.value]),
    TSExternalModuleReference: (node) => add("require", node, [node.expression.value]),
  };
}

/** The environment, and a loader, or all of node:process, under a name by which it is not seen. */
function specified(add: Add, from: string, node: ImportDeclarationSpecifier): void {
  const name = node.type === "ImportSpecifier" ? nameOf(node.imported) : "process";
  const isRenamed = name !== node.local.name;
  if (from === "node:process" && (name === "env" || (name === "process" && isRenamed))) add("global", node, [env]);
  if (isRenamed && loaders.has(name ?? "")) add("require", node, [undefined]);
}

/** `require()`, `createRequire()()`, `process.getBuiltinModule()` and `new URL("…", import.meta.url)`. */
function calls(add: Add, known: Set<Node>): Handlers {
  return {
    CallExpression: (node) => {
      const { callee } = node;
      const found = callee.type === "MemberExpression" && nameOf(callee) === "resolve" ? callee.object : undefined;
      const loader = found ?? callee;
      if (isLoader(loader)) {
        known.add(loader);
        add(found === undefined ? "require" : "resolve", node, textsOf(node.arguments[0]));
      }
      if (nameOf(callee) !== "createRequire") return;
      if (!known.has(node)) add("require", node, [undefined]);
      known.add(callee);
    },
    NewExpression: (node) => add("address", node, addressOf(node) ?? []),
    VariableDeclarator: ({ id, init }) => {
      // The calls of a variable with this name are seen.
      if (init !== null && nameOf(id) === "require" && isLoader(init)) known.add(init).add(id);
      if (init?.type === "Identifier" && init.name === "process" && takesEnvironment(id)) add("global", init, [env]);
    },
  };
}

/** Whether a variable gets the environment of `process`: by its name, in what is left over, or because it is all of it. */
function takesEnvironment(id: BindingPattern): boolean {
  if (id.type !== "ObjectPattern") return true;
  return id.properties.some((property) => property.type === "RestElement" || nameOf(property.key) === "env");
}

/** Globals, and loaders that are not called at once, whose calls would not be seen. */
function names(add: Add, known: Set<Node>): Handlers {
  const hide = (node: { readonly computed?: boolean; readonly key: Node }) => {
    if (node.computed !== true) known.add(node.key);
  };
  return {
    MemberExpression: (node) => {
      if (!node.computed) known.add(node.property);
      if (nameOf(node) === "env" && node.object.type === "Identifier" && node.object.name === "process")
        add("global", node, [env]);
      if (nameOf(node) === "getBuiltinModule" && !known.has(node)) add("require", node, [undefined]);
    },
    Property: hide,
    PropertyDefinition: hide,
    MethodDefinition: hide,
    TSPropertySignature: hide,
    TSMethodSignature: hide,
    ObjectPattern: (node) => {
      const keys = node.properties.map((property) => (property.type === "Property" ? nameOf(property.key) : undefined));
      if (keys.some((key) => loaders.has(key ?? ""))) add("require", node, [undefined]);
    },
    ImportSpecifier: ({ imported, local }) => void known.add(imported).add(local),
    ExportSpecifier: ({ exported }) => void known.add(exported),
    TSQualifiedName: ({ right }) => void known.add(right),
    Identifier: (node) => {
      if (known.has(node)) return;
      if (watchedGlobals.has(node.name)) add("global", node, [node.name]);
      if (loaders.has(node.name)) add("require", node, [undefined]);
    },
  };
}

/** `require`, what `createRequire()` returns, `import.meta`, and `getBuiltinModule` of whatever object. */
function isLoader(node: Node): boolean {
  if (node.type === "CallExpression") return nameOf(node.callee) === "createRequire";
  return node.type === "MetaProperty" || ["require", "getBuiltinModule"].includes(nameOf(node) ?? "");
}

/** The name of a variable, of a property, or of what is imported. */
function nameOf(node: Node): string | undefined {
  if (node.type === "Identifier") return node.name;
  if (node.type !== "MemberExpression") return textsOf(node)[0];
  return nameOf(node.property);
}

/** The path in `new URL("…", import.meta.url)`, also with `.href` behind it. Undefined for anything else. */
function addressOf(node: Expression): string[] | undefined {
  if (node.type === "MemberExpression" && nameOf(node) === "href") return addressOf(node.object);
  if (node.type !== "NewExpression" || nameOf(node.callee) !== "URL") return undefined;
  const [path, base] = node.arguments;
  if (base?.type !== "MemberExpression" || base.object.type !== "MetaProperty") return undefined;
  // The file extension is often computed: it differs in what is built.
  const text = path?.type === "TemplateLiteral" ? path.quasis[0]?.value.cooked : textsOf(path)[0];
  return typeof text === "string" ? [text.startsWith(".") ? text : `./${text}`] : undefined;
}

/** What an expression can be: one string, two of a condition, or a string that is computed. */
function textsOf(node: Node | undefined): readonly (string | undefined)[] {
  if (node?.type === "Literal" && typeof node.value === "string") return [node.value];
  if (node?.type === "TemplateLiteral" && node.expressions.length === 0)
    return [node.quasis[0]?.value.cooked ?? undefined];
  if (node?.type === "ConditionalExpression") return [...textsOf(node.consequent), ...textsOf(node.alternate)];
  return [undefined];
}
