/** What tests of pages, mails and answers expect most often, in a word each. */
import { expect } from "vitest";
import { row, type TableName } from "./database/rows";

type Said = string | RegExp;

/** A table has one row, with these values. */
export async function stored(table: TableName, values: Record<string, unknown>): Promise<void> {
  expect(await row(table)).toMatchObject(values);
}

/** All of this is in it. */
export function shows(text: string | null | undefined, ...said: Said[]): void {
  for (const one of said) expect(text).toMatch(one);
}

/** None of this is in it. */
export function hides(text: string | null | undefined, ...said: Said[]): void {
  expect(text).toEqual(expect.any(String));
  for (const one of said) expect(text).not.toMatch(one);
}

/** It is answered with this status, and says all of this. */
export async function answers(
  asked: Response | Promise<Response>,
  status: number,
  ...said: Said[]
): Promise<Response> {
  const response = await asked;
  expect(response.status).toBe(status);
  shows(await response.clone().text(), ...said);
  return response;
}
