import { env } from "cloudflare:workers";
import { trackById } from "../../sandbox/catalogue";
import {
  beginEmailLogin,
  codeFor,
  freeAddress,
  linkFor,
  pendingOf,
  typeCode,
} from "../../worker/session/email-login-flow";
import { freePrice, insert, makeRating, makeSong, makeUser } from "../database/factories";
import { request } from "../request";
import { press } from "../stripe/stripe";
import { confirmationPath, unsubscribePath } from "./account";
import { type Action, asking } from "./action";
import { makeCheckout, makePaidElsewhere, record } from "./billing";
import {
  firstRow,
  makeListener,
  makeMember,
  makeOwner,
  makeRater,
  operates,
  own,
  shareSong,
  submissionOf,
} from "./world";

const minute = 60_000;
/** Long enough for another visit. */
const away = 120 * minute;
/** Long enough for the activity to be recorded. */
const idle = 2 * minute;
const landing = /Promote your music for free/;
const noSongs = /You have heard everything|No More Songs to Rate/;
const visit = "SELECT visit FROM users WHERE id IN (SELECT user_id FROM sessions)";

export const pages: Action[] = [
  {
    name: "the page that asks for a login's code",
    async prepare() {
      const cookie = await beginEmailLogin(freeAddress());
      return { ...asking("/login/code", { cookie }), shows: /Code of six digits/ };
    },
  },
  {
    name: "the page of a login's link",
    limit: "LIMIT_WIDE",
    async prepare(musician) {
      const { cookie } = await makeMember(musician);
      const address = freeAddress();
      await beginEmailLogin(address);
      return { ...asking(await linkFor(address), { cookie }), shows: /Log in to Fivefold/ };
    },
  },
  {
    name: "the page that asks for an artist's name",
    async prepare() {
      const address = freeAddress();
      const pending = await beginEmailLogin(address);
      const typed = await typeCode(await codeFor(address), pending);
      return {
        ...asking("/login/name", { cookie: pendingOf(typed) }),
        shows: /What are you called/,
      };
    },
  },
  {
    name: "the page of a link that confirms an address",
    limit: "LIMIT_WIDE",
    async prepare() {
      const path = await confirmationPath(await makeUser(), "mine@mail.example");
      return { ...asking(path), shows: /mine@mail\.example/ };
    },
  },
  {
    name: "the page of a mail's link to unsubscribe",
    limit: "LIMIT_WIDE",
    prepare: async () => asking(await unsubscribePath(await makeUser())),
  },
  {
    name: "the landing page of a visitor",
    prepare: async () => ({ ...asking("/"), shows: landing }),
  },
  {
    name: "the landing page of somebody whose session has ended",
    async prepare(musician) {
      const { get } = await makeMember(musician);
      await env.DB.prepare("DELETE FROM sessions").run();
      return { ...get("/"), shows: landing };
    },
  },
  {
    name: "the carousel, which draws a package",
    answers: "page",
    async prepare(musician) {
      const { title } = await makeSong(await makeUser());
      const { get } = await makeMember(musician, { idle: away });
      return {
        ...get("/"),
        state: () =>
          firstRow(`SELECT (${visit}) AS visit, (SELECT count(*) FROM packages) AS packages,
                      (SELECT count(*) FROM package_songs) AS songs`),
        shows: new RegExp(title),
      };
    },
    done: { visit: 2, packages: 1, songs: 1 },
  },
  {
    name: "the carousel with an open package",
    async prepare(musician) {
      const { get, song } = await makeListener(musician);
      return { ...get("/"), shows: new RegExp(song.id) };
    },
  },
  {
    name: "the carousel with an open package, after an hour away",
    async prepare(musician) {
      const { get, song } = await makeListener(musician, { idle: away });
      return { ...get("/"), shows: new RegExp(song.id) };
    },
  },
  {
    name: "the carousel after the last song of a package was rated",
    async prepare(musician) {
      const { get, song } = await makeRater(musician, { idle });
      const next = await makeSong(await makeUser());
      return { ...get(`/?rated=${song.id}`), shows: new RegExp(next.id) };
    },
  },
  {
    name: "the carousel with nothing to rate, after a while away",
    async prepare(musician) {
      const { get } = await makeRater(musician, { idle });
      return { ...get("/"), shows: noSongs };
    },
  },
  {
    name: "the add-song screen",
    async prepare(musician) {
      await makeSong(await makeUser());
      const { get } = await makeMember(musician, { idle });
      return { ...get("/?menu=addownsong"), shows: /more songs?/ };
    },
  },
  {
    name: "searching for a song to add",
    limit: "LIMIT_NORMAL",
    asksOutside: true,
    answers: "page",
    async prepare(musician) {
      const { get } = await makeMember(musician, { credits: freePrice, idle: away });
      return {
        ...get("/?menu=addownsong&q=mara"),
        // Responses are cached for some seconds, even one without a readable song.
        again: get("/?menu=addownsong&q=mara+lind").act,
        state: () => firstRow(visit),
        shows: /Mara Lind/,
        without: /We could not search Spotify right now|No songs found/,
      };
    },
    done: { visit: 2 },
  },
  {
    name: "an album",
    limit: "LIMIT_NORMAL",
    async prepare(musician) {
      const { get } = await makeMember(musician, { credits: freePrice });
      const album = trackById.get(own.trackId)?.albumId;
      return { ...get(`/?menu=addownsong&album=${album}`), shows: new RegExp(own.trackId) };
    },
  },
  {
    name: "the confirmation",
    async prepare(musician) {
      await makeSong(await makeUser());
      const { get, song } = await makeOwner(musician, { idle });
      const path = `/?menu=songaddedtopool&submission=${await submissionOf(song)}`;
      return { ...get(path), shows: /<title>Song added/ };
    },
  },
  {
    name: "the confirmation when no songs are left",
    async prepare(musician) {
      const { get, song } = await makeOwner(musician, { idle });
      const path = `/?menu=songaddedtopool&submission=${await submissionOf(song)}`;
      return { ...get(path), shows: noSongs };
    },
  },
  {
    name: "the ratings page",
    answers: "page",
    async prepare(musician) {
      const { get, song } = await makeOwner(musician, { idle: away });
      await makeRating(await makeUser(), song);
      return {
        ...get("/ratings-of-my-songs"),
        state: () => firstRow(visit),
        shows: /Great Song/,
      };
    },
    done: { visit: 2 },
  },
  {
    name: "the ratings from a song on, and one that stands elsewhere",
    async prepare(musician) {
      const { get, song } = await makeOwner(musician, { idle, received: 2 });
      const path = `/ratings-of-my-songs?after=1.song&song=${song.id}`;
      return { ...get(path), shows: /Great Song/ };
    },
  },
  {
    name: "the result of a song",
    async prepare(musician) {
      const { get, song } = await makeOwner(musician, { idle, received: 5 });
      return { ...get(`/ratings-of-my-songs/${song.id}`), shows: /Great Song/ };
    },
  },
  {
    name: "the result of a song as a file",
    async prepare(musician) {
      const { get, song } = await makeOwner(musician, { idle, received: 5 });
      return { ...get(`/ratings-of-my-songs/${song.id}.csv`), shows: /Great Song/ };
    },
  },
  {
    name: "the songs that one has rated",
    answers: "page",
    async prepare(musician) {
      const { get } = await makeRater(musician, { idle: away });
      return { ...get("/rated"), state: () => firstRow(visit), shows: /Added to my playlist!/ };
    },
    done: { visit: 2 },
  },
  {
    name: "the songs that one has rated, after a favorite",
    limit: "LIMIT_NORMAL",
    asksOutside: true,
    answers: "page",
    async prepare(musician) {
      const { get, song } = await makeRater(musician, { idle: away });
      const path = `/rated?favorite=${song.id}`;
      return { ...get(path), state: () => firstRow(visit), shows: new RegExp(song.id) };
    },
    done: { visit: 2 },
  },
  {
    name: "the question why a song cannot be rated",
    async prepare(musician) {
      const { get, song } = await makeListener(musician);
      return get(`/songs/${song.id}/pass/reason`);
    },
  },
  {
    name: "the playlists for a song",
    limit: "LIMIT_NORMAL",
    async prepare(musician) {
      const { get, song } = await makeRater(musician, { mayAddToPlaylists: true });
      return get(`/songs/${song.id}/playlist`);
    },
  },
  {
    name: "the account page",
    answers: "page",
    async prepare(musician) {
      const { get, user } = await makeMember(musician, { idle: away });
      return {
        ...get("/account"),
        state: () => firstRow(visit),
        shows: new RegExp(`${user.id}@musicians\\.example`),
      };
    },
    done: { visit: 1 },
  },
  {
    name: "the operator's page",
    async prepare(musician) {
      const { get, user } = await makeMember(musician);
      const song = await makeSong(await makeUser());
      await insert("reports", { id: "report", song_id: song.id, words: "", created_at: 1 }).run();
      await operates(user);
      return { ...get("/operator"), shows: new RegExp(song.title) };
    },
  },
  {
    name: "what an operator's look has found",
    async prepare(musician) {
      const { get, user, cookie } = await makeMember(musician);
      await operates(user);
      const look = { do: "look", person: user.id };
      const { headers } = await request("/operator/act", { cookie, form: look });
      return { ...get(headers.get("Location") ?? ""), shows: /This is your own account/ };
    },
  },
  {
    name: "a shared result",
    async prepare(musician) {
      const { song } = await makeOwner(musician);
      return { ...asking(`/r/${await shareSong(song)}`), shows: new RegExp(own.trackId) };
    },
  },
  {
    name: "the numbers",
    prepare: async (musician) => (await makeMember(musician)).get("/numbers"),
  },
  { name: "the FAQ", prepare: async (musician) => (await makeMember(musician)).get("/faq") },
  {
    name: "the imprint",
    prepare: async (musician) => (await makeMember(musician)).get("/imprint"),
  },
  {
    name: "the premium page",
    answers: "page",
    async prepare(musician) {
      const { get } = await makeMember(musician, { idle: away });
      return { ...get("/subscribe"), state: () => firstRow(visit), shows: /Fivefold Premium/ };
    },
    done: { visit: 1 },
  },
  {
    name: "the premium page with premium",
    prepare: async (musician) =>
      (await makeMember(musician, { tier: "premium" })).get("/subscribe"),
  },
  {
    name: "the page of a checkout that is being processed",
    limit: "LIMIT_NORMAL",
    async prepare(musician) {
      const { get, cookie } = await makeMember(musician);
      const path = `/subscription-success?session_id=${await press(cookie)}`;
      return { ...get(path), shows: /Processing your subscription/ };
    },
  },
  {
    name: "the page after the checkout",
    asksOutside: true,
    answers: "page",
    async prepare(musician) {
      const { cookie, checkoutId } = await makeCheckout(musician);
      return {
        ...asking(`/subscription-success?session_id=${checkoutId}`, { cookie }),
        state: () => firstRow(record),
        shows: /Thank you for subscribing!/,
      };
    },
    done: { status: "active", tier: "premium" },
  },
  {
    name: "the page after a checkout made without the app",
    async prepare(musician) {
      const { cookie, checkoutId } = await makePaidElsewhere(musician);
      const path = `/subscription-success?session_id=${checkoutId}`;
      return { ...asking(path, { cookie }), shows: /Thank you for subscribing!/ };
    },
  },
];
