import { expect, test } from "vitest";
import { createSpotifyState } from "~/sources/spotify/client/request-state.server";
import type { RequestState } from "~/sources/spotify/client/requests";

function addAnswers(state: RequestState, answers: number): void {
  for (let n = 0; n < answers; n += 1) state.answers.set(`/v1/${n}`, { at: 0, answer: n });
}

test("each session gets its own state, and the same one each time", () => {
  const { requestStateFor } = createSpotifyState();
  const state = requestStateFor("one");
  expect(requestStateFor("two")).not.toBe(state);
  expect(requestStateFor("one")).toBe(state);
});

test("beyond 300 sessions the least recently used one is dropped", () => {
  const { requestStateFor } = createSpotifyState();
  const [first, second] = ["0", "1"].map((id) => requestStateFor(id));
  for (let n = 2; n < 300; n += 1) requestStateFor(String(n));
  expect(requestStateFor("0")).toBe(first);
  requestStateFor("300");
  expect(requestStateFor("0")).toBe(first);
  expect(requestStateFor("1")).not.toBe(second);
});

test("beyond 100 answers the least recently used session loses its answers, but keeps its limit", () => {
  const { requestStateFor } = createSpotifyState();
  const [first, second, third] = ["1", "2", "3"].map((id) => requestStateFor(id));
  if (!first || !second || !third) throw new Error("a state is missing");
  first.blockedUntil = 7;
  for (const state of [first, second, third]) addAnswers(state, 50);
  requestStateFor("2");
  const sizes = () => [first, second, third].map(({ answers }) => answers.size);
  expect(sizes()).toEqual([0, 50, 50]);
  addAnswers(first, 50);
  requestStateFor("1");
  // The second session was used after the third.
  expect(sizes()).toEqual([50, 50, 0]);
  expect(requestStateFor("1").blockedUntil).toBe(7);
});
