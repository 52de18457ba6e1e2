import { expect, test } from "vitest";
import { createMemories } from "~/adapters/spotify/memories.server";
import type { RequestMemory } from "~/adapters/spotify/requests";

function keep(memory: RequestMemory, answers: number): void {
  for (let n = 0; n < answers; n += 1) memory.answers.set(`/v1/${n}`, { at: 0, answer: n });
}

test("a session finds its memory again, and no other's", () => {
  const memories = createMemories();
  const memory = memories.requestStateFor("one");
  expect(memories.requestStateFor("two")).not.toBe(memory);
  expect(memories.requestStateFor("one")).toBe(memory);
});

test("of too many sessions, the one used longest ago is forgotten", () => {
  const memories = createMemories();
  const [first, second] = ["0", "1"].map((id) => memories.requestStateFor(id));
  for (let n = 2; n < 300; n += 1) memories.requestStateFor(String(n));
  expect(memories.requestStateFor("0")).toBe(first);
  memories.requestStateFor("300");
  expect(memories.requestStateFor("0")).toBe(first);
  expect(memories.requestStateFor("1")).not.toBe(second);
});

test("of too many answers, those used longest ago are dropped, and limits stay known", () => {
  const memories = createMemories();
  const [first, second, third] = ["1", "2", "3"].map((id) => memories.requestStateFor(id));
  if (!first || !second || !third) throw new Error("no memory");
  first.blockedUntil = 7;
  for (const memory of [first, second, third]) keep(memory, 50);
  memories.requestStateFor("2");
  const sizes = () => [first, second, third].map(({ answers }) => answers.size);
  expect(sizes()).toEqual([0, 50, 50]);
  keep(first, 50);
  memories.requestStateFor("1");
  // The second was used last but one.
  expect(sizes()).toEqual([50, 50, 0]);
  expect(memories.requestStateFor("1").blockedUntil).toBe(7);
});
