/** From PLAY SONG to a submission. */
import { env } from "cloudflare:workers";
import { endedLoginTexts } from "~/login/ended-login";
import {
  freePrice,
  insert,
  makeListen,
  makeOwnSong,
  makeRating,
  makeSong,
  makeUser,
  type TestSong,
} from "../database/factories";
import { request } from "../request";
import { control } from "../sandbox";
import { type Action, forMembers, type Says, toOthers } from "./action";
import { firstRow, makeListener, makeMember, makeOwner, makeRater, own, shareSong } from "./world";

/** Without any response the rating is refused, because nothing seems to be playing. */
const outage = [409, 502, 503];
const ofOthers = {
  "the owner": [403, "This is your own song. Only others can rate it."],
  nothing: [
    404,
    "This song is not here any more. Its owner may have taken it back. Choose another one.",
  ],
} as const;
const notDrawn: Says = [409, "You cannot rate this song right now. Go back to the carousel."];
const notHeard: Says = [409, "Listen to this song first. Then you can rate it."];
const notRated: Says = [404, "You have not rated this song."];
const notOwn: Says = [404, "This is not one of your songs."];
const notOwnRecording: Says = [404, "This is not one of your own recordings."];
const openListens = "SELECT count(*) AS listens FROM listens WHERE closed_at IS NULL";
const remembered = "SELECT favorited_at IS NOT NULL AS remembered FROM package_songs";
const submitted = `SELECT credits, submitted_count, visit,
    (SELECT entitled FROM songs WHERE owner_id = users.id) AS entitled,
    (SELECT count(*) FROM submissions WHERE owner_id = users.id) AS submissions,
    (SELECT count(*) FROM activity_log) AS log,
    (SELECT count(*) FROM outbox) AS mails
  FROM users WHERE id = ?`;

/** Lets Spotify know no such track any more, as others have found out. */
async function dropTrack({ id }: TestSong, refusals: number): Promise<void> {
  const drop = env.DB.prepare("UPDATE songs SET track_id = ? WHERE id = ?");
  await drop.bind("0".repeat(22), id).run();
  for (let n = 0; n < refusals; n += 1) {
    const row = { song_id: id, user_id: (await makeUser()).id, created_at: Date.now() };
    await insert("unplayable_reports", row).run();
  }
}

function rating(
  name: string,
  options: Parameters<typeof makeListener>[1] = {},
  about: Partial<Action> = {},
): Action {
  return {
    name,
    ...about,
    ...(options.listen === "open" ? { asksOutside: true } : {}),
    async prepare(musician) {
      const { user, on } = await makeListener(musician, options);
      return {
        ...on("rating", { score: "3" }),
        state: () =>
          firstRow(
            `SELECT credits, rated_count, (SELECT count(*) FROM ratings) AS ratings,
               (SELECT received FROM songs) AS received, (SELECT owed FROM songs) AS owed,
               (SELECT count(*) FROM outbox) AS mails,
               (SELECT count(*) FROM listens WHERE closed_at IS NULL) AS listens
             FROM users WHERE id = ?`,
            user.id,
          ),
      };
    },
    done: {
      ...{ credits: 1, rated_count: 1, ratings: 1, received: 1, owed: 4 },
      mails: options.mail === false ? 0 : 1,
      listens: 0,
    },
    outage,
  };
}

async function makeSubmitter(musician: string) {
  const member = await makeMember(musician, { credits: freePrice });
  return { ...member, form: { trackId: own.trackId, key: crypto.randomUUID() } };
}

async function submit({ cookie, form }: Awaited<ReturnType<typeof makeSubmitter>>) {
  const answer = await request("/submissions", { cookie, json: form });
  return (await answer.json<{ submissionId: string }>()).submissionId;
}

export const listeningActions: Action[] = [
  {
    name: "PLAY SONG, started by the server",
    ...forMembers("LIMIT_NORMAL", { ...ofOthers, "a stranger": notDrawn }),
    formsOn: ["/"],
    asksOutside: true,
    async prepare(musician) {
      const { on } = await makeListener(musician);
      await control("openApp", { musician });
      return { ...on("play"), state: () => firstRow(openListens) };
    },
    done: { listens: 1 },
  },
  {
    name: "PLAY SONG, started by the browser, after another song",
    async prepare(musician) {
      const { user, on } = await makeListener(musician);
      await makeListen(user, await makeSong(await makeUser()));
      return { ...on("play", { deviceId: "here" }), state: () => firstRow(openListens) };
    },
    done: { listens: 1 },
  },
  {
    name: "PLAY SONG, as the third in a row for whom Spotify does not play it",
    status: 409,
    async prepare(musician) {
      const { song, on } = await makeListener(musician);
      await control("openApp", { musician });
      await dropTrack(song, 2);
      return on("play");
    },
  },
  {
    name: "confirming the listen",
    ...forMembers("LIMIT_NORMAL", { ...ofOthers, "a stranger": notHeard }),
    formsOn: ["/"],
    asksOutside: true,
    outage,
    async prepare(musician) {
      const { on } = await makeListener(musician, { listen: "open" });
      return {
        ...on("listened"),
        state: () => firstRow("SELECT finished_at IS NOT NULL AS finished FROM listens"),
      };
    },
    done: { finished: 1 },
  },
  {
    name: "confirming a listen that Spotify contradicts",
    status: 409,
    async prepare(musician) {
      const { on } = await makeListener(musician, { listen: "open" });
      await control("playOther", { musician });
      return on("listened");
    },
  },
  {
    name: "confirming a listen of which Spotify tells nothing",
    status: 409,
    async prepare(musician) {
      const { on } = await makeListener(musician, { listen: "open" });
      await control("closeApp", { musician });
      return on("listened");
    },
  },
  {
    name: "confirming a listen that a spot check found silent",
    status: 409,
    async prepare(musician) {
      const { on } = await makeListener(musician, { listen: "open" });
      await env.DB.prepare("UPDATE listens SET recheck_at = started_at").run();
      return on("listened");
    },
  },
  {
    name: "confirming a listen as the third in a row for whom Spotify does not play the song",
    status: 409,
    async prepare(musician) {
      const { song, on } = await makeListener(musician, { listen: "open" });
      await control("closeApp", { musician });
      await dropTrack(song, 2);
      return on("listened");
    },
  },
  rating(
    "a rating",
    { listen: "confirmed" },
    {
      ...forMembers("LIMIT_NORMAL", { ...ofOthers, "a stranger": notHeard }),
      refuses: [
        [422, "Choose one of the ratings."],
        ["", "0", "5", "-1", "1.5", "03", "three", " 3"].map((score) => ({ score })),
      ],
      formsOn: ["/"],
    },
  ),
  rating("a rating that owes no mail", { listen: "confirmed", mail: false }),
  rating("a rating that also confirms the listen", { listen: "open" }),
  {
    name: "saying why",
    ...forMembers("LIMIT_NORMAL", { ...toOthers(notRated), "the owner": notRated }),
    formsOn: ["/?rated=:id"],
    async prepare(musician) {
      const { on } = await makeRater(musician);
      return on("reasons", { liked: "Groove", improve: "Sound" });
    },
  },
  {
    name: "passing on a song that was played, with a report",
    ...forMembers("LIMIT_NORMAL", { ...ofOthers, "a stranger": notDrawn }),
    formsOn: ["/songs/:id/pass/reason"],
    async prepare(musician) {
      const { on } = await makeListener(musician, { listen: "open" });
      return on("pass", { reason: "report", words: "No music" });
    },
  },
  {
    name: "passing on a song as the third in a row for whom Spotify does not play it",
    async prepare(musician) {
      const { song, on } = await makeListener(musician);
      await dropTrack(song, 2);
      return on("pass", { reason: "unplayable" });
    },
  },
  {
    name: "passing on a song twice",
    async prepare(musician) {
      const { song, cookie, on } = await makeListener(musician);
      await request(`/songs/${song.id}/pass`, { cookie, json: { reason: "known" } });
      return on("pass", { reason: "known" });
    },
  },
  {
    name: "putting a song into a playlist that is yet to be made",
    ...forMembers("LIMIT_NORMAL", { nothing: ofOthers.nothing }),
    formsOn: ["/songs/:id/playlist"],
    async prepare(musician) {
      const { on } = await makeRater(musician, { mayAddToPlaylists: true });
      return on("playlist/add", { playlist: "finds" });
    },
  },
  {
    name: "putting a song into a playlist after the permission was taken back",
    async prepare(musician) {
      const { on } = await makeRater(musician, { mayAddToPlaylists: true });
      const scope = "playlist-modify-private playlist-read-private";
      await control("withdraw", { musician, scope });
      return on("playlist/add", { playlist: "finds" });
    },
  },
  {
    name: "a favorite",
    ...forMembers("LIMIT_NORMAL", { ...ofOthers, "the owner": notDrawn, "a stranger": notDrawn }),
    formsOn: ["/"],
    asksOutside: true,
    async prepare(musician) {
      const { on } = await makeListener(musician);
      return { ...on("favorite"), state: () => firstRow(remembered) };
    },
    done: { remembered: 1 },
  },
  {
    name: "a favorite taken back",
    ...forMembers("LIMIT_NORMAL", { ...ofOthers, "the owner": notDrawn, "a stranger": notDrawn }),
    formsOn: ["/rated"],
    asksOutside: true,
    async prepare(musician) {
      const { on } = await makeRater(musician);
      await env.DB.prepare("UPDATE package_songs SET favorited_at = 1").run();
      return { ...on("unfavorite"), state: () => firstRow(remembered) };
    },
    done: { remembered: 0 },
  },
  {
    name: "asking which songs are saved",
    limit: "LIMIT_NORMAL",
    refusedTo: { nobody: [401, endedLoginTexts.otherwise] },
    method: "GET",
    async prepare(musician) {
      const { get, song } = await makeListener(musician);
      return get(`/favorites?songs=${song.id}`);
    },
  },
  {
    name: "a mail asked for when there are songs again",
    ...forMembers("LIMIT_NORMAL"),
    formsOn: ["/"],
    async prepare(musician) {
      const { post } = await makeRater(musician);
      return {
        ...post("/song-mail", { wanted: "true" }),
        state: () => firstRow("SELECT count(*) AS wishes FROM song_wishes"),
      };
    },
    done: { wishes: 1 },
  },
  {
    name: "such a mail taken back",
    formsOn: ["/", "/account"],
    async prepare(musician) {
      const { user, post } = await makeRater(musician);
      await insert("song_wishes", {
        id: "wish",
        user_id: user.id,
        asked_at: 1,
        looked_at: 1,
      }).run();
      return {
        ...post("/song-mail", { wanted: "false" }),
        state: () => firstRow("SELECT count(*) AS wishes FROM song_wishes"),
      };
    },
    done: { wishes: 0 },
  },
  {
    name: "a wish to be told when a song is out",
    ...forMembers(
      "LIMIT_NORMAL",
      toOthers([
        409,
        "You can be told once you have rated an artist's own recording “Added to my playlist!”, unless we have taken it out.",
      ]),
    ),
    formsOn: ["/rated", "/?rated=:id"],
    async prepare(musician) {
      const { wishFor } = await makeFan(musician);
      return { ...wishFor("true"), state: () => firstRow(wishes) };
    },
    done: { wishes: 1, counted: 1 },
  },
  {
    name: "such a wish taken back",
    formsOn: ["/rated", "/?rated=:id"],
    async prepare(musician) {
      const { user, song, wishFor } = await makeFan(musician);
      const row = { user_id: user.id, song_id: song.id, asked_at: 1 };
      await insert("release_wishes", row).run();
      await env.DB.prepare("UPDATE ratings SET wants_release = 1").run();
      return { ...wishFor("false"), state: () => firstRow(wishes) };
    },
    done: { wishes: 0, counted: 0 },
  },
  {
    name: "the wish to be told of listeners for a new mix",
    ...forMembers("LIMIT_NORMAL", toOthers(notOwnRecording)),
    formsOn: [],
    async prepare(musician) {
      const { user, post } = await makeMember(musician);
      const { id } = await makeOwnSong(user);
      return {
        ...post(`/songs/${id}/mix-wish`, { wanted: "true" }),
        state: () => firstRow("SELECT mix_asked_at IS NOT NULL AS wished FROM songs"),
      };
    },
    done: { wished: 1 },
  },
  {
    name: "the link of a song that is out",
    ...forMembers("LIMIT_STRICT", toOthers(notOwnRecording)),
    formsOn: ["/ratings-of-my-songs/:id"],
    async prepare(musician) {
      const { user, post } = await makeMember(musician);
      const { id } = await makeOwnSong(user);
      return {
        ...post(`/songs/${id}/release`, { link: "https://ada.bandcamp.com/track/x" }),
        state: () => firstRow("SELECT count(*) AS links FROM releases"),
      };
    },
    done: { links: 1 },
  },
  {
    name: "such a link taken back",
    ...forMembers("LIMIT_STRICT", toOthers(notOwnRecording)),
    formsOn: ["/ratings-of-my-songs/:id"],
    async prepare(musician) {
      const { user, post } = await makeMember(musician);
      const { id } = await makeOwnSong(user);
      await insert("releases", { song_id: id, url: "https://youtu.be/x", mails_at: 1 }).run();
      return {
        ...post(`/songs/${id}/unrelease`),
        state: () => firstRow("SELECT count(*) AS links FROM releases"),
      };
    },
    done: { links: 0 },
  },
  {
    name: "a submission",
    refuses: [
      [422, "Choose a song from the search results, and say how it was made."],
      [
        ...["", "short", `${own.trackId}0`, "0123456789ABCDEFGHIJK/"].map((trackId) => ({
          trackId,
        })),
        { trackId: own.trackId, key: "1" },
        { trackId: own.trackId, made: "it was" },
      ],
    ],
    ...forMembers("LIMIT_STRICT"),
    formsOn: [`/?menu=addownsong&track=${own.trackId}`],
    asksOutside: true,
    async prepare(musician) {
      const { user, post, form } = await makeSubmitter(musician);
      return { ...post("/submissions", form), state: () => firstRow(submitted, user.id) };
    },
    done: {
      ...{ credits: 0, submitted_count: 1, visit: 2, entitled: 5, submissions: 1 },
      log: 1,
      mails: 1,
    },
  },
  {
    name: "submitting a song again",
    async prepare(musician) {
      const { user, post, form } = await makeSubmitter(musician);
      await makeSong(user, own);
      return post("/submissions", form);
    },
  },
  {
    name: "sending a submission's form twice",
    async prepare(musician) {
      const submitter = await makeSubmitter(musician);
      await submit(submitter);
      return submitter.post("/submissions", submitter.form);
    },
  },
  {
    name: "withdrawing a song",
    ...forMembers("LIMIT_STRICT", toOthers(notOwn)),
    formsOn: ["/ratings-of-my-songs/:id"],
    prepare: async (musician) => (await makeOwner(musician)).on("withdraw"),
  },
  {
    name: "bringing a song back that Spotify did not play",
    ...forMembers("LIMIT_STRICT", toOthers(notOwn)),
    formsOn: ["/ratings-of-my-songs/:id"],
    async prepare(musician) {
      const { on } = await makeOwner(musician);
      await env.DB.prepare("UPDATE songs SET resting_since = 1").run();
      return on("resume");
    },
  },
  {
    name: "bringing back a song that was withdrawn",
    async prepare(musician) {
      const { on } = await makeOwner(musician);
      await env.DB.prepare("UPDATE songs SET resting_since = 1, withdrawn = 1").run();
      return on("resume");
    },
  },
  {
    name: "sharing a result",
    ...forMembers("LIMIT_STRICT", toOthers(notOwn)),
    formsOn: ["/ratings-of-my-songs/:id"],
    prepare: async (musician) => (await makeOwner(musician, { received: 5 })).on("share"),
  },
  {
    name: "taking a shared result back",
    ...forMembers("LIMIT_STRICT", toOthers(notOwn)),
    formsOn: ["/ratings-of-my-songs/:id"],
    async prepare(musician) {
      const { song, on } = await makeOwner(musician, { received: 5 });
      await shareSong(song);
      return on("unshare");
    },
  },
];

const wishes = `SELECT (SELECT count(*) FROM release_wishes) AS wishes,
  (SELECT count(*) FROM ratings WHERE wants_release = 1) AS counted`;

/** Somebody who has just rated an own recording "Added to my playlist!". */
async function makeFan(musician: string) {
  const member = await makeMember(musician);
  const song = await makeOwnSong(await makeUser());
  await makeRating(member.user, song, { score: 4, at: Date.now() });
  const wishFor = (wanted: string) =>
    member.post(`/songs/${song.id}/release-wish`, { wanted, next: "/rated" });
  return { ...member, song, wishFor };
}
