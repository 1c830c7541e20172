import { contract, type Problem, problem } from "@siteward/contract";
import { expect } from "vitest";

/** An answer, with what the contract requires of it. */
export class Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;

  constructor(status: number, headers: Headers, text: string) {
    this.status = status;
    this.headers = headers;
    this.text = text;
  }

  static async read(response: Response): Promise<Answer> {
    return new Answer(response.status, response.headers, await response.text());
  }

  header(name: string): string | null {
    return this.headers.get(name);
  }

  /** The entity tag of a record, which must be a strong one. */
  get etag(): string {
    expect(this.header("ETag")).toMatch(/^"[\x21\x23-\x7e]+"$/);
    return this.header("ETag") ?? "";
  }

  get website() {
    return this.#read("application/json", contract.websites.get.responses[200]).data;
  }

  get page() {
    return this.#read("application/json", contract.websites.list.responses[200]);
  }

  get ids(): number[] {
    return this.page.data.map(({ id }) => id);
  }

  get account() {
    return this.#read("application/json", contract.account.get.responses[200]).data;
  }

  /** The problem details. Their status and request ID must be those of the answer. */
  get problem(): Problem {
    const read = this.#read("application/problem+json", problem);
    expect(read).toMatchObject({ status: this.status, request_id: this.header("X-Request-Id") });
    expect(read.request_id).not.toBe("");
    return read;
  }

  /** The status and code, which identify an error. */
  get refusal(): [status: number, code: string] {
    return [this.status, this.problem.code];
  }

  /** The fields of a refused request with their messages. */
  get fieldErrors(): Problem["errors"] {
    expect(this.refusal).toEqual([422, "validation_failed"]);
    return this.problem.errors;
  }

  /** The names of the fields that were refused. A record omits a member named __proto__, so they are read from the text. */
  get refusedNames(): string[] {
    expect(this.refusal).toEqual([422, "validation_failed"]);
    return Object.keys(JSON.parse(this.text).errors);
  }

  #read<Shape>(type: string, schema: { parse(value: unknown): Shape }): Shape {
    expect(this.header("Content-Type"), this.text).toBe(`${type}; charset=utf-8`);
    return schema.parse(JSON.parse(this.text));
  }
}
