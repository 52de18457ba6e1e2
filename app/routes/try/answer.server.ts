import { isScore, type Score } from "~/exchange/rating/scale";
import { isRejection } from "~/platform/rejection";
import { counted } from "~/platform/text";
import { countLiked } from "~/results/opinions";
import { verdict } from "~/results/sentences";
import { beginVisit, endOfTune, readVisit, tuneSecondsLeft } from "~/sources/files/tune.server";

const before: Score[] = [2, 3, 3, 4];

interface Answer {
  status: number;
  said: string;
  note: string;
  /** Of the visit that goes on, if there is one. */
  visit: string | null;
  /** How far the tune is, by our clock. */
  at: number;
  /** With the visitor's own, once it was taken. */
  scores: Score[] | null;
  secondsLeft: number;
}

/**
 * What the page says to a visit: to one that begins, to a rating, and to who asks for the tune's end at once. All of it is a
 * GET, because nothing is written.
 */
export async function answerVisit(
  services: { secret: string; now(): number },
  query: URLSearchParams,
): Promise<Answer> {
  const none = { status: 200, note: "The clock is the server's.", at: 0, secondsLeft: 0 };
  const rest = { ...none, visit: null, scores: null };
  if (query.has("play")) {
    const visit = await beginVisit(services);
    return { ...rest, visit, said: "Now rate it before its end." };
  }
  if (!["visit", "score", "end"].some((name) => query.has(name))) {
    return { ...rest, said: "Nothing of it is kept." };
  }
  const visit = query.get("visit") ?? "";
  const began = await readVisit(services, visit);
  if (isRejection(began)) {
    const { status, error } = began;
    return { ...rest, status, said: error, note: "Press play, and one begins." };
  }
  const now = services.now();
  const going = { ...rest, visit, at: Math.floor((now - began) / 1000) };
  if (query.has("end")) {
    const { bytes, secondsLeft } = endOfTune(began, now);
    const held = `Held: the last 64 KB come in ${counted(secondsLeft, "second")}.`;
    return {
      ...{ ...going, said: secondsLeft > 0 ? held : "The last 64 KB may come now." },
      note: `206, ${bytes.toLocaleString("en")} bytes so far.`,
    };
  }
  if (!query.has("score")) return { ...going, said: "Now rate it before its end." };
  const score = Number(query.get("score"));
  if (!isScore(score)) return { ...going, status: 400, said: "There are four marks." };
  const secondsLeft = tuneSecondsLeft(began, now);
  if (secondsLeft > 0) {
    const said = `Not yet: ${counted(secondsLeft, "second")}.`;
    const note = "The server's clock says so, not this page.";
    return { ...going, status: 425, said, note, secondsLeft };
  }
  const scores = [...before, score];
  return {
    ...{ ...going, scores, said: verdict(countLiked(scores), scores.length) },
    note: "So its owner would see it, and never who it was. Nothing of it was kept.",
  };
}
