/** What answers, pages and tables say. */
import { expect } from "vitest";
import { contents } from "./database/contents";
import { type RowOf, row, rows, type TableName } from "./database/rows";

/** Where an answer leads. */
export function led({ status, headers }: Response): [number, string | null] {
  return [status, headers.get("Location")];
}

/** expect.stringMatching reads a string as a pattern. */
function isIn(text: string | RegExp) {
  return typeof text === "string" ? expect.stringContaining(text) : expect.stringMatching(text);
}

type Answer = Response | Promise<Response>;

type Given = { status: number };

export async function gives(answer: Given | Promise<Given>, status: number): Promise<void> {
  expect((await answer).status).toBe(status);
}

export async function leads(answer: Answer, where: unknown, status = 303): Promise<void> {
  expect(led(await answer)).toEqual([status, where]);
}

export async function says(answer: Answer, status: number, text: string | RegExp): Promise<void> {
  const given = await answer;
  expect([given.status, await given.text()]).toEqual([status, isIn(text)]);
}

export async function tells(answer: Answer, status: number, json: unknown): Promise<void> {
  const given = await answer;
  expect([given.status, await given.json()]).toEqual([status, json]);
}

/** The text of an answer with this status and heading. */
export async function pageOf(answer: Response, status: number, title: string): Promise<string> {
  const page = await answer.text();
  expect([answer.status, /<h1>(.*?)<\/h1>/.exec(page)?.[1]]).toEqual([status, title]);
  return page;
}

/** Fails if the page that somebody reads lacks one of the texts. @returns its text. */
export async function shows(
  who: { reads(path: string): Promise<string> },
  path: string,
  ...texts: string[]
): Promise<string> {
  const page = await who.reads(path);
  for (const text of texts) expect(page).toContain(text);
  return page;
}

/** Fails if the page that somebody reads has a text. */
export async function hides(
  who: { reads(path: string): Promise<string> },
  path: string,
  text: string,
): Promise<void> {
  expect(await who.reads(path)).not.toContain(text);
}

/** Fails unless the only row, or the only one that has these values, is so. */
export async function holds<Name extends TableName>(
  name: Name,
  fields: object,
  having: Partial<RowOf<Name>> = {},
): Promise<void> {
  expect(await row(name, having)).toMatchObject(fields);
}

/** Fails unless there are so many rows that have these values. */
export async function counts<Name extends TableName>(
  name: Name,
  count: number,
  having: Partial<RowOf<Name>> = {},
): Promise<void> {
  expect(await rows(name, having), `rows of ${name}`).toHaveLength(count);
}

/** Fails unless the database refuses a change with this text. */
export async function isRefused(change: Promise<unknown>, text: string): Promise<void> {
  const cause = { message: expect.stringContaining(text) };
  await expect(change).rejects.toMatchObject({ cause });
}

/** Fails if anything is written meanwhile, logins included, or in these tables. @returns what it returns. */
export async function unchanged<Result>(
  run: () => Promise<Result>,
  ...tables: string[]
): Promise<Result> {
  const before = await contents(...tables);
  const result = await run();
  expect(await contents(...tables)).toEqual(before);
  return result;
}
