import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { makeSong, makeUser, type TestUser, unique } from "../../support/database/factories";
import {
  addressOf,
  askToConfirm,
  deliver,
  mailsTo,
  owe,
  oweRating,
  oweSubmission,
  type Received,
} from "../../support/mails";

const hostile = [
  "www.evil.example",
  "evil.example/x",
  "a@evil.example",
  "https://evil.example/?q=1",
  "evil。example",
  "evil\u200b.example",
  "Call 0900 evil 1234567",
];

/** Owes a user one mail of every kind that contains a name or a title, and delivers them. */
async function mailAll(user: TestUser, title: string): Promise<void> {
  const [one, two] = [
    await makeSong(user, { title, artists: [title] }),
    await makeSong(user, { title, artists: ["Nobody", title] }),
  ];
  // A mail about one song, and then one about two.
  await deliver([await oweRating(one)]);
  await deliver([await oweRating(one), await oweRating(two)]);
  await deliver([await oweSubmission(one)]);
  await deliver([await owe(user.id, "past_due")]);
  await deliver([await owe(user.id, "songs_again")]);
}

async function makeMember(displayName: string, ownEmail: string | null = null): Promise<TestUser> {
  return makeUser({ displayName, ownEmail, tier: "past_due" });
}

/** Everything that a recipient reads of a mail: its subject, its text, and its HTML. */
function wholeOf({ subject, text, html }: Received): string {
  return [subject, text, html].join("\n");
}

describe("to the address from Spotify, which nobody has confirmed,", () => {
  test.each(hostile)("no mail contains a name or a title like %j", async (text) => {
    const user = await makeMember(text);
    await mailAll(user, text);
    const mails = await mailsTo(addressOf(user));
    expect(mails.map(({ subject }) => subject)).toEqual([
      "New rating (1 of 5) for your song",
      "2 new ratings for 2 of your songs",
      "Your song was submitted",
      "Your last payment for Fivefold Premium failed",
      "There are songs to rate again",
    ]);
    for (const mail of mails) {
      expect(wholeOf(mail)).not.toMatch(/evil/);
      expect(mail.text).toMatch(/^Hello,\n/);
    }
    for (const mail of mails.slice(0, 3)) {
      expect(mail.text).toContain("Your song\n");
      expect(mail.text).toContain("https://open.spotify.com/track/");
    }
  });

  test("an ordinary name and title are kept, and are not part of a link", async () => {
    const user = await makeMember("J. S. Bach");
    await mailAll(user, "Midnight Ferry");
    const mails = await mailsTo(addressOf(user));
    expect(mails).toHaveLength(5);
    for (const { text, html } of mails) {
      expect(text).toMatch(/^Hello J\. S\. Bach,\n/);
      for (const [link] of html.matchAll(/<a .*?<\/a>/gs))
        expect(link).not.toMatch(/Midnight|Bach/);
    }
    expect(mails[0]?.subject).toBe("New rating (1 of 5) for “Midnight Ferry”");
    expect(mails[0]?.text).toContain("Midnight Ferry\nMidnight Ferry\nOpen on Spotify:\nhttps://");
  });
});

test.each(hostile)("a confirmed address gets %j unchanged", async (text) => {
  const ownEmail = `${unique("own")}@mail.example`;
  await mailAll(await makeMember(text, ownEmail), text);
  const mails = await mailsTo(ownEmail);
  expect(mails).toHaveLength(5);
  for (const mail of mails) expect(mail.text).toContain("evil");
});

test.each(hostile)(
  "the mail that asks for confirmation contains neither %j nor the address",
  async (name) => {
    const user = await makeMember(name, `${unique("own")}@mail.example`);
    const address = `www.evil.example+${unique("x")}@mail.example`;
    await deliver([await askToConfirm(user.id, address)]);
    const [mail, ...more] = await mailsTo(address);
    expect(more).toEqual([]);
    expect(mail && wholeOf(mail)).not.toMatch(/evil|mail\.example/);
    expect(mail?.text).toMatch(/^Hello,\n/);
  },
);

test("whether the address is confirmed is decided when the mail is written", async () => {
  const user = await makeMember("evil.example");
  const confirmed = env.DB.prepare("UPDATE users SET own_email = email WHERE id = ?");
  const song = await makeSong(user);
  await deliver([await oweRating(song)]);
  await env.DB.prepare(
    `INSERT INTO mailed_proofs (id, kind, asked_by, address, created_at, expires_at, used_at)
     SELECT id, 'confirmation', id, email, 1, 3, 2 FROM users WHERE id = ?`,
  )
    .bind(user.id)
    .run();
  await confirmed.bind(user.id).run();
  await deliver([await oweRating(song)]);
  const greetings = (await mailsTo(addressOf(user))).map(({ text }) => text.split("\n")[0]);
  expect(greetings).toEqual(["Hello,", "Hello evil.example,"]);
});
