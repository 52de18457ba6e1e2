import { isScore, type Score } from "~/exchange/rating/scale";
import { isRejection } from "~/platform/rejection";
import { counted } from "~/platform/text";
import { countLiked } from "~/results/opinions";
import { verdict } from "~/results/sentences";
import { beginVisit, readVisit } from "~/sources/files/tune.server";

const before: Score[] = [2, 3, 3, 4];

const rest = {
  status: 200,
  said: "Nothing of it is kept.",
  note: "Press play, and the server's clock runs.",
  /** Of the visit that goes on. */
  visit: null as string | null,
  /** How many seconds of the tune have passed. */
  at: 0,
  secondsLeft: 0,
  /** With the visitor's own, once it was taken. */
  scores: null as Score[] | null,
};

const begun = { ...rest, said: "Now rate it before its end.", note: "The clock is the server's." };

/**
 * What the page says to a visit that begins, to a rating, and to who asks for the tune's end at once. All of it is a GET,
 * because nothing is written.
 */
export async function answerVisit(
  query: URLSearchParams,
  secret: string,
  now: number,
): Promise<typeof rest> {
  if (query.has("play")) return { ...begun, visit: await beginVisit(secret, now) };
  if (!["visit", "score", "end"].some((name) => query.has(name))) return rest;
  const visit = query.get("visit") ?? "";
  const read = await readVisit(secret, visit, now);
  if (isRejection(read)) {
    return { ...rest, status: read.status, said: read.error, note: "Press play, and one begins." };
  }
  const { at, secondsLeft, endBytes, endSecondsLeft } = read;
  const going = { ...begun, visit, at };
  if (query.has("end")) {
    return {
      ...going,
      said: endSecondsLeft
        ? `Held: the last 64 KB come in ${counted(endSecondsLeft, "second")}.`
        : "The last 64 KB may come now.",
      note: `206, ${endBytes.toLocaleString("en")} bytes so far.`,
    };
  }
  const score = Number(query.get("score"));
  if (!isScore(score)) return going;
  const scores = [...before, score];
  return secondsLeft
    ? {
        ...going,
        status: 425,
        said: `Not yet: ${counted(secondsLeft, "second")}.`,
        note: "The server's clock says so, not this page.",
        secondsLeft,
      }
    : {
        ...rest,
        said: verdict(countLiked(scores), scores.length),
        note: "So its owner would see it, and never who it was. Nothing of it was kept.",
        scores,
      };
}
