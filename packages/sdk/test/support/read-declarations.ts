import { readFileSync } from "node:fs";
import { type ClassElement, type Comment, parseSync, type Statement, type TSSignature, Visitor } from "oxc-parser";

/** A public declaration, or a member of one, as an editor shows it. */
export interface Declaration {
  /** Its name, such as `Websites.create`. */
  readonly name: string;
  readonly kind: "class" | "function" | "method" | "property" | "type" | "value";
  /** Its doc comment without asterisks. Empty if it has none. */
  readonly comment: string;
  /** Its source. */
  readonly text: string;
}

/** What a published declaration file exports, and where its signatures lead. */
export interface Declarations {
  /** What the file exports, and the members of exported classes and interfaces. */
  readonly exported: readonly Declaration[];
  /** Types that the signatures of exports mention, but that the file does not export. */
  readonly hiddenTypes: readonly string[];
}

type Member = ClassElement | TSSignature;

/** Reads a published declaration file. All its declarations are at the top level, and one statement exports them. */
export function readDeclarations(file: string): Declarations {
  const text = readFileSync(file, "utf8");
  const { program, comments, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const exportedNames = new Set(program.body.flatMap(namesInExport));
  const declared = program.body.filter((node) => nameOf(node) !== "");
  const exported = declared.filter((node) => exportedNames.has(nameOf(node)));
  const hidden = new Set(declared.map(nameOf).filter((name) => !exportedNames.has(name)));

  const describe = (name: string, kind: Declaration["kind"], node: Statement | Member): Declaration => ({
    name,
    kind,
    comment: readComment(comments, text, node.start),
    text: text.slice(node.start, node.end),
  });
  return {
    exported: exported.flatMap((node) => [
      describe(nameOf(node), kindOf(node), node),
      ...membersOf(node).map((member) =>
        describe(`${nameOf(node)}.${keyOf(member, text)}`, kindOfMember(member), member),
      ),
    ]),
    hiddenTypes: exported.flatMap(typesIn).filter((name) => hidden.has(name)),
  };
}

function namesInExport(node: Statement): string[] {
  if (node.type !== "ExportNamedDeclaration") return [];
  return node.specifiers.map(({ local }) => ("name" in local ? local.name : ""));
}

/** Returns the name of a declaration, or an empty string. The addition to the global types has none. */
function nameOf(node: Statement): string {
  if (node.type === "VariableDeclaration") {
    const [declarator] = node.declarations;
    return declarator?.id.type === "Identifier" ? declarator.id.name : "";
  }
  if (node.type === "TSModuleDeclaration" || !("id" in node)) return "";
  return node.id?.type === "Identifier" ? node.id.name : "";
}

function kindOf(node: Statement): Declaration["kind"] {
  if (node.type === "ClassDeclaration") return "class";
  if (node.type === "TSDeclareFunction") return "function";
  return node.type === "VariableDeclaration" ? "value" : "type";
}

function kindOfMember(member: Member): Declaration["kind"] {
  const isMethod =
    member.type === "TSMethodSignature" || (member.type === "MethodDefinition" && member.kind === "method");
  return isMethod ? "method" : "property";
}

/** Returns the public members of a class or an interface. The comment of a class describes its constructor, too. */
function membersOf(node: Statement): readonly Member[] {
  if (node.type === "TSInterfaceDeclaration") return node.body.body;
  if (node.type !== "ClassDeclaration") return [];
  return node.body.body.filter(
    (member) =>
      "key" in member &&
      member.key.type !== "PrivateIdentifier" &&
      !(member.type === "MethodDefinition" && member.kind === "constructor"),
  );
}

function keyOf(member: Member, text: string): string {
  return "key" in member ? text.slice(member.key.start, member.key.end) : "";
}

/** Returns the names of the types that a declaration mentions. */
function typesIn(node: Statement): string[] {
  const names: string[] = [];
  const visitor = new Visitor({
    TSTypeReference: ({ typeName }) => void (typeName.type === "Identifier" && names.push(typeName.name)),
    TSInterfaceHeritage: ({ expression }) => void (expression.type === "Identifier" && names.push(expression.name)),
    TSClassImplements: ({ expression }) => void (expression.type === "Identifier" && names.push(expression.name)),
  });
  visitor.visit({ type: "Program", body: [node], sourceType: "module", hashbang: null, start: 0, end: 0 });
  return names;
}

/** Returns the doc comment that ends where a declaration starts. */
function readComment(comments: readonly Comment[], text: string, start: number): string {
  const comment = comments.findLast(({ end }) => end <= start);
  const isDoc =
    comment?.type === "Block" && comment.value.startsWith("*") && text.slice(comment.end, start).trim() === "";
  return isDoc
    ? comment.value
        .slice(1)
        .replaceAll(/^[ \t]*\* ?/gm, "")
        .trim()
    : "";
}
