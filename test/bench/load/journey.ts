/** What a musician does under load, over and over: look, play, rate, look at results, submit. */
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { maxScore } from "../../../app/db/rules.ts";
import type { Musician } from "../../sandbox/catalogue.ts";
import type { ServedProduct } from "../served-product.ts";
import { type Answered, openBrowser } from "./browser.ts";

/** What the answers have told the musicians, for comparison with the database. */
export interface Told {
  ratings: number;
  submissions: number;
  /** Ratings and submissions whose answer did not arrive, and that may have counted or not. */
  unknown: number;
}

export interface Journey {
  product: ServedProduct;
  told: Told;
  random(): number;
  note(answered: Answered): void;
  /** Whether to begin anything new. */
  goesOn(): boolean;
}

const thinkMs = 400;
/** Songs are shortened to five seconds, so that four have to be heard; a little more for slow answers. */
const hearMs = 5200;

/** Logs in and goes on until the end. The music plays in the musician's own app. */
export async function makeJourney(journey: Journey, { id, trackIds }: Musician): Promise<void> {
  const { product, told, random, note, goesOn } = journey;
  const { ask, logIn } = openBrowser(product, note);
  const visitor = openBrowser(product, note);
  const think = () => wait(thinkMs * (0.5 + random()));
  await control(product, "openApp", { musician: id });
  if (!(await logIn(id))) return;
  let round = 0;
  while (goesOn()) {
    round += 1;
    const page = (await (await ask("carousel", "/"))?.text()) ?? "";
    const songs = [...page.matchAll(/action="\/songs\/([^"/]+)\/play"/g)].map(([, one]) => one);
    const songId = songs[Math.floor(random() * songs.length)];
    await think();
    if (songId) await hearAndRate(songId);
    if (round % 3 === 0) await lookAtRatings();
    if (round % 4 === 0) await visitor.ask("landing", "/");
    if (round % 4 === 2) await submit();
    await think();
  }

  async function hearAndRate(songId: string) {
    const played = await ask("playing", `/songs/${songId}/play`, { form: {} });
    if (!played || played.status >= 400) return;
    await wait(hearMs);
    await ask("listened", `/songs/${songId}/listened`, { form: {} });
    const score = String(1 + Math.floor(random() * maxScore));
    const rated = await ask("rating", `/songs/${songId}/rating`, { form: { score } });
    if (!rated) told.unknown += 1;
    else if (rated.status < 400) told.ratings += 1;
    if (rated?.status === 303 && random() < 0.3) {
      await ask("reasons", `/songs/${songId}/reasons`, { form: { liked: "vocals" } });
    }
  }

  async function lookAtRatings() {
    const path = "/ratings-of-my-songs";
    const list = (await (await ask("ratings", path))?.text()) ?? "";
    const own = /href="(\/ratings-of-my-songs\/[^"?#]+)"/.exec(list)?.[1];
    await think();
    if (own) await ask("song page", own);
  }

  async function submit() {
    const page = (await (await ask("add a song", "/?menu=addownsong"))?.text()) ?? "";
    if (!page.includes('name="q"')) return;
    await think();
    const trackId = trackIds[Math.floor(random() * trackIds.length)] ?? "";
    const form = { trackId, key: randomUUID() };
    const submitted = await ask("submitting", "/submissions", { form });
    if (!submitted) told.unknown += 1;
    else if (submitted.status < 400) told.submissions += 1;
  }
}

async function control(product: ServedProduct, action: string, fields: object): Promise<void> {
  await fetch(`${product.sandboxOrigin}/control`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ action, ...fields }),
  });
}
