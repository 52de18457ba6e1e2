import { expect, test } from "vitest";
import { insert, makeSong, makeUser, unique } from "../../support/database/factories";
import { change } from "../../support/database/rows";
import { hides, shows } from "../../support/expectations";
import {
  addressOf,
  askToConfirm,
  deliver,
  mailsTo,
  mailTo,
  owe,
  oweRating,
  oweSubmission,
  type Received,
} from "../../support/mails";

const hostile = ["evil.example/x", "Call 0900 evil 1234567"];

/** Somebody to whom one mail of every kind was sent that contains a name or a title. */
async function mailAll(name: string, title: string, ownEmail: string | null = null) {
  const user = await makeUser({ displayName: name, ownEmail, tier: "past_due" });
  const one = await makeSong(user, { title, artists: [title] });
  const two = await makeSong(user, { title, artists: ["Nobody", title] });
  // A mail about one song, and then one about two.
  await deliver([await oweRating(one)]);
  await deliver([await oweRating(one), await oweRating(two)]);
  await deliver([await oweSubmission(one)]);
  for (const kind of ["past_due", "songs_again"] as const)
    await deliver([await owe(user.id, kind)]);
  const mails = await mailsTo(ownEmail ?? addressOf(user));
  expect(mails).toHaveLength(5);
  return mails;
}

/** Everything that a recipient reads of a mail: its subject, its text, and its HTML. */
function wholeOf({ subject, text, html }: Received): string {
  return [subject, text, html].join("\n");
}

test.each(hostile)(
  "to the address from Spotify, which nobody has confirmed, no mail contains a name or a title like %j",
  async (text) => {
    const mails = await mailAll(text, text);
    expect(mails.map(({ subject }) => subject)).toEqual([
      "New rating (1 of 5) for your song",
      "2 new ratings for 2 of your songs",
      "Your song was submitted",
      "Your last payment for Fivefold Premium failed",
      "There are songs to rate again",
    ]);
    for (const [n, mail] of mails.entries()) {
      hides(wholeOf(mail), /evil/);
      shows(mail.text, /^Hello,\n/);
      if (n >= 3) continue;
      shows(mail.text, "Your song\n", "https://open.spotify.com/track/");
    }
  },
);

test("to an address that nobody has confirmed, an ordinary name and title are kept, and are not part of a link", async () => {
  const mails = await mailAll("J. S. Bach", "Midnight Ferry");
  for (const { text, html } of mails) {
    shows(text, /^Hello J\. S\. Bach,\n/);
    for (const [link] of html.matchAll(/<a .*?<\/a>/gs)) hides(link, /Midnight|Bach/);
  }
  expect(mails[0]?.subject).toBe("New rating (1 of 5) for “Midnight Ferry”");
  expect(mails[0]?.text).toContain("Midnight Ferry\nMidnight Ferry\nOpen on Spotify:\nhttps://");
});

test.each(hostile)("a confirmed address gets %j unchanged", async (text) => {
  const mails = await mailAll(text, text, `${unique("own")}@mail.example`);
  for (const mail of mails) shows(mail.text, "evil");
});

test("the mail that asks for confirmation contains neither the name nor the address", async () => {
  const user = await makeUser({ displayName: "evil.example" });
  const address = `www.evil.example+${unique("x")}@mail.example`;
  await deliver([await askToConfirm(user.id, address)]);
  const mail = await mailTo(address);
  hides(wholeOf(mail), /evil|mail\.example/);
  shows(mail.text, /^Hello,\n/);
});

test("whether the address is confirmed is decided when the mail is written", async () => {
  const user = await makeUser({ displayName: "evil.example" });
  const address = addressOf(user);
  const song = await makeSong(user);
  await deliver([await oweRating(song)]);
  const link = { id: "link", kind: "confirmation", asked_by: user.id, address };
  await insert("mailed_proofs", { ...link, created_at: 1, expires_at: 3, used_at: 2 }).run();
  await change("users", { id: user.id }, { ownEmail: address });
  await deliver([await oweRating(song)]);
  const greetings = (await mailsTo(address)).map(({ text }) => text.split("\n")[0]);
  expect(greetings).toEqual(["Hello,", "Hello evil.example,"]);
});
