/**
 * Every page that uses the database, each with its own users and songs. They run for a musician of the
 * sandbox; each test file needs a different one.
 */
import { env } from "cloudflare:workers";
import * as index from "~/routes/_index/route";
import * as account from "~/routes/account/route";
import * as deletion from "~/routes/account_.delete";
import * as faq from "~/routes/faq/route";
import * as imprint from "~/routes/imprint/route";
import * as shared from "~/routes/r.$token/route";
import * as ratings from "~/routes/ratings-of-my-songs/route";
import * as songResult from "~/routes/ratings-of-my-songs_.$songId/route";
import * as resultFile from "~/routes/ratings-of-my-songs_.$songId[.]csv";
import * as passReason from "~/routes/songs.$songId.pass_.reason/route";
import * as playlist from "~/routes/songs.$songId.playlist/route";
import { accountIdOf, trackById } from "../../sandbox/catalogue";
import { trackOf } from "../../support/catalogue";
import { makeRating } from "../../support/database/factories";
import { measure } from "../../support/measure";
import { beginLogin, comeBack, cookieOf, decide } from "../session/login-flow";
import { billingPages } from "./billing";
import type { Run } from "./run";
import { makeExhausted, makeRated, makeWorld, page, post, shareOwn } from "./world";

const minutes = 60_000;

/** Deletes an account that has an open package, and logs in again. @returns the Cookie header. */
async function makeComeBack(musician: string): Promise<string> {
  const { viewer, ...world } = await makeWorld(musician, { drawn: true });
  await env.DB.prepare("UPDATE users SET spotify_id = ? WHERE id = ?")
    .bind(accountIdOf(musician), viewer.id)
    .run();
  await post(deletion.action, { viewer, ...world });
  const login = await beginLogin();
  return cookieOf(await comeBack(await decide(login, musician), login.cookie), "__Host-session");
}

export const pages: Run[] = [
  {
    name: "the landing page of a visitor",
    outcome: "landing",
    run: () => measure(index.loader, { path: "/" }),
  },
  {
    name: "the landing page of somebody whose session has ended",
    outcome: "landing",
    async run(musician) {
      const { session } = await makeWorld(musician);
      await env.DB.prepare("DELETE FROM sessions").run();
      return measure(index.loader, { path: "/", cookie: session.cookie });
    },
  },
  {
    name: "the carousel that draws its first package",
    outcome: "carousel",
    run: page(index.loader, "/", { idle: 2 * minutes }),
  },
  {
    name: "the carousel with an open package",
    outcome: "carousel",
    run: page(index.loader, "/", { drawn: true }),
  },
  {
    name: "the carousel after an hour away",
    outcome: "carousel",
    run: page(index.loader, "/", { drawn: true, idle: 60 * minutes }),
  },
  {
    name: "the carousel after the last song of a package was rated",
    outcome: "carousel",
    async run(musician) {
      const { viewer, session, song } = await makeWorld(musician, {
        drawn: true,
        idle: 2 * minutes,
      });
      await makeRating(viewer, song);
      return measure(index.loader, { path: `/?rated=${song.id}`, cookie: session.cookie });
    },
  },
  {
    name: "the carousel with nothing to rate, after a while away",
    outcome: "carousel",
    async run(musician) {
      const { session } = await makeExhausted(musician);
      const away = "UPDATE sessions SET last_seen_at = last_seen_at - 120000";
      await env.DB.prepare(away).run();
      return measure(index.loader, { path: "/", cookie: session.cookie });
    },
  },
  {
    name: "the carousel of somebody who deleted the account and came back",
    outcome: "carousel",
    async run(musician) {
      const back = await makeComeBack(musician);
      return measure(index.loader, { path: "/", cookie: back });
    },
  },
  {
    name: "the add-song screen",
    outcome: "addownsong",
    run: page(index.loader, "/?menu=addownsong", { idle: 2 * minutes }),
  },
  {
    name: "a search",
    outcome: "addownsong",
    async run(musician) {
      const { session } = await makeExhausted(musician);
      const path = "/?menu=addownsong&q=song";
      return measure(index.loader, { path, cookie: session.cookie });
    },
  },
  {
    name: "an album",
    outcome: "addownsong",
    async run(musician) {
      const { session } = await makeExhausted(musician);
      const path = `/?menu=addownsong&album=${trackById.get(trackOf(musician).trackId)?.albumId}`;
      return measure(index.loader, { path, cookie: session.cookie });
    },
  },
  {
    name: "the confirmation",
    outcome: "songaddedtopool",
    async run(musician) {
      const { session, own } = await makeWorld(musician, { idle: 2 * minutes });
      const query = env.DB.prepare("SELECT id FROM submissions WHERE song_id = ?").bind(own.id);
      const path = `/?menu=songaddedtopool&submission=${await query.first("id")}`;
      return measure(index.loader, { path, cookie: session.cookie });
    },
  },
  {
    name: "the confirmation when no songs are left",
    outcome: "songaddedtopool",
    async run(musician) {
      const { session, own } = await makeExhausted(musician);
      const query = env.DB.prepare("SELECT id FROM submissions WHERE song_id = ?").bind(own.id);
      const path = `/?menu=songaddedtopool&submission=${await query.first("id")}`;
      return measure(index.loader, { path, cookie: session.cookie });
    },
  },
  {
    name: "the ratings",
    outcome: "page",
    run: page(ratings.loader, "/ratings-of-my-songs", { idle: 2 * minutes }),
  },
  {
    name: "the ratings from a song on, and one that stands elsewhere",
    outcome: "page",
    run: page(ratings.loader, "/ratings-of-my-songs?after=1.song&song=none", { idle: 2 * minutes }),
  },
  {
    name: "the result of a song",
    outcome: "page",
    async run(musician) {
      const { session, own } = await makeWorld(musician, { idle: 2 * minutes });
      const asked = { path: "/", cookie: session.cookie, songId: own.id };
      return measure(songResult.loader, asked);
    },
  },
  {
    name: "the result of a song as a file",
    outcome: "200",
    async run(musician) {
      const { session, own } = await makeWorld(musician, { idle: 2 * minutes });
      return measure(resultFile.loader, { path: "/", cookie: session.cookie, songId: own.id });
    },
  },
  {
    name: "the question why a song cannot be rated",
    outcome: "page",
    async run(musician) {
      const { session, song } = await makeWorld(musician, { drawn: true });
      const path = `/songs/${song.id}/pass/reason`;
      return measure(passReason.loader, { path, songId: song.id, cookie: session.cookie });
    },
  },
  {
    name: "the playlists for a song",
    outcome: "page",
    async run(musician) {
      const { session, song } = await makeRated(musician);
      const path = `/songs/${song.id}/playlist`;
      return measure(playlist.loader, { path, songId: song.id, cookie: session.cookie });
    },
  },
  { name: "the account", outcome: "page", run: page(account.loader, "/account", { drawn: true }) },
  {
    name: "a shared result",
    outcome: "page",
    async run(musician) {
      const token = await shareOwn(await makeWorld(musician));
      return measure(shared.loader, { path: `/r/${token}`, token });
    },
  },
  { name: "the FAQ", outcome: "page", run: page(faq.loader, "/faq", {}) },
  { name: "the imprint", outcome: "page", run: page(imprint.loader, "/imprint", {}) },
  ...billingPages,
];
