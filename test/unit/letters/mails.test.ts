import { expect, test } from "vitest";
import {
  pastDueMail,
  premiumCancelledMail,
  premiumWelcomeMail,
  subscriptionEndedMail,
} from "~/letters/premium-mails";
import { confirmationMail, loginCodeMail } from "~/letters/proof-mails";
import type { RatedSong } from "~/letters/rated-song";
import { ratingMail } from "~/letters/rating-mail";
import { submissionMail } from "~/letters/song-mails";
import { noSubscription, tierConfigs } from "~/members/tiers";
import {
  addresses,
  allMails,
  appOrigin,
  confirmation,
  frame,
  greetingMails,
  links,
  loginCode,
  paid,
  pastDue,
  ratedMail,
  read,
  sent,
  song,
  unsubscribeUrl,
} from "./support.ts";

test("every mail is a document with a language, which supports both colour schemes", () => {
  for (const { html } of allMails("Ada")) {
    expect(html).toMatch(/^<!doctype html><html lang="en"/);
    expect(html).toContain('<meta charSet="utf-8"/>');
    expect(html).toContain('name="viewport"');
    expect(html).toContain('<meta name="color-scheme" content="light dark"/>');
    expect(html).toContain('<meta name="supported-color-schemes" content="light dark"/>');
    // React has escaped no style sheet.
    const sheets = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, css]) => css);
    expect(sheets.join()).toContain("@media (prefers-color-scheme: dark)");
    expect(sheets.join()).toContain("[data-ogsc] .ink-paper{");
    expect(sheets.join()).not.toContain("&");
  }
});

test("every mail loads nothing when it is opened", () => {
  for (const { html } of [...allMails("Ada"), ...allMails("Ada", { hasDrawnCover: true })]) {
    expect(html).not.toMatch(
      /\ssrc=|srcset|url\(|@import|<link|<img|<script|<form|<iframe|background=/i,
    );
  }
});

test("every mail marks its layout tables as such", () => {
  for (const { html } of allMails("Ada")) {
    const tables = html.match(/<table[^>]*>/g) ?? [];
    expect(tables.length).toBeGreaterThan(2);
    for (const table of tables) expect(table).toContain('role="presentation"');
  }
});

test("every mail greets with or without a name", () => {
  for (const mail of greetingMails("Ada")) {
    expect(read(mail.html)).toContain("Hello Ada ,");
    expect(mail.text).toMatch(/^Hello Ada,\n/);
  }
  for (const mail of allMails(" \n ")) {
    expect(read(mail.html)).toContain("Hello,");
    expect(mail.text).toMatch(/^Hello,\n/);
  }
});

test("every mail keeps a name in its own writing direction, and shortens an endless one", () => {
  for (const { html } of greetingMails("דנה")) expect(html).toContain('<bdi dir="auto">דנה</bdi>');
  for (const { text } of greetingMails("👩‍👩‍👧".repeat(500))) {
    expect(text.split("\n")[0]).toBe(`Hello ${"👩‍👩‍👧".repeat(30)}…,`);
  }
});

test("every mail says who sends it, why, and where the settings are", () => {
  for (const mail of allMails("Ada")) {
    for (const whole of [read(mail.html), mail.text]) {
      expect(whole).toContain("You are receiving this e-mail because");
      expect(whole).toContain("Mill Lane Music, Mill Lane 5");
      expect(whole).toContain("hello@fivefold.example");
      expect(whole).toContain("E-mail settings");
    }
    expect(links(mail.html)).toContain("mailto:hello@fivefold.example");
    expect(links(mail.html)).toContain(`${appOrigin}/account`);
    expect(addresses(mail.text)).toContain(`${appOrigin}/account`);
  }
});

test("every mail has an unsubscribe link if there is one, and otherwise does not mention it", () => {
  for (const mail of allMails("Ada")) {
    expect(links(mail.html)).toContain(unsubscribeUrl);
    expect(addresses(mail.text)).toContain(unsubscribeUrl);
  }
  for (const mail of allMails("Ada", {}, { ...frame, unsubscribeUrl: null })) {
    expect(mail.html + mail.text).not.toMatch(/unsubscribe/i);
  }
});

test("every mail has the same links in HTML and in text, where each has a line of its own", () => {
  for (const mail of allMails("Ada", { hidden: 2 })) {
    // The text leaves out the links of the brand, the credit and the contact address.
    const extra = [appOrigin, "https://open.spotify.com/", "mailto:hello@fivefold.example"];
    const shown = links(mail.html).filter((href) => !extra.includes(href));
    expect(new Set(addresses(mail.text))).toEqual(new Set(shown));
    for (const line of mail.text.split("\n")) {
      if (line.includes("://")) expect(line).toMatch(/^https:\/\/\S+$/);
    }
  }
});

test("every mail says everything in HTML that it says in text", () => {
  const given: Partial<RatedSong> = { hidden: 2, scores: [3, 1], received: 4 };
  for (const mail of allMails("Ada", given)) {
    const html = read(mail.html).replaceAll(" ,", ",").replaceAll(" .", ".");
    for (const line of mail.text.split("\n")) {
      const words = line.replace(/^ {2}\* |:$/g, "");
      if (words === "" || words === "-----" || words.includes("://")) continue;
      expect(html).toContain(words);
    }
  }
});

const title = `<script>alert(1)</script> "x" 'y' & </title><b onclick=z>`;

test("hostile texts are escaped", () => {
  for (const { html } of allMails(title, { title, artists: [title] })) {
    expect(html).not.toMatch(/<script|<b onclick|<\/title>.*<\/title>/is);
    expect(html).not.toContain(`"x"`);
  }
  const [mail] = allMails("Ada", { title, artists: [title] });
  expect(read(mail?.html ?? "")).toContain(`${title} ${title}`);
  expect(mail?.text).toContain(`${title}\n${title}\n`);
});

test.each([
  "javascript:alert(1)",
  " JaVaScRiPt:alert(1)",
  "data:text/html,x",
  "//evil.example/x",
  "",
])("hostile texts do not become a link (%j)", (spotifyUrl) => {
  const mails = [ratedMail({ spotifyUrl }), sent(submissionMail({ ...song, spotifyUrl }, frame))];
  for (const mail of mails) {
    expect(mail.html).toContain(`<bdi dir="auto">Midnight Ferry</bdi>`);
    expect(mail.html + mail.text).not.toMatch(/javascript|data:text|evil/i);
  }
});

test("hostile texts cannot start a new line in the text", () => {
  for (const { text } of allMails("A\n1:", {
    title: "B\r\n2:",
    artists: ["D\u20283:"],
  })) {
    expect(text).not.toMatch(/^\d:/m);
  }
});

test("hostile texts in a title never become part of a link's text", () => {
  for (const { html } of allMails("Ada", { title: "Click here" })) {
    for (const [link] of html.matchAll(/<a .*?<\/a>/gs)) expect(link).not.toContain("Click");
  }
});

test("a title that is left out is replaced by the app's own words", () => {
  const untitled = { ...song, title: "", artists: [] };
  const added = sent(submissionMail(untitled, frame));
  expect(added.subject).toBe("Your song was submitted");
  const one = sent(ratingMail([untitled], frame));
  expect(one.subject).toBe("New rating (3 of 5) for your song");
  for (const { html, text } of [added, one, sent(ratingMail([untitled, song], frame))]) {
    expect(text).toContain("Your song\nOpen on Spotify:\nhttps://open.spotify.com/track/t1");
    expect(read(html)).toContain("Your song Open on Spotify");
  }
});

test("the mail about a submission names the song, what it is entitled to, and where its ratings will be", () => {
  const mail = sent(submissionMail({ ...song, entitled: 10 }, frame));
  expect(mail.subject).toBe("Your song was submitted: “Midnight Ferry”");
  expect(mail.text).toContain(
    "Midnight Ferry\nThe Lanterns, Ada Quist\nOpen on Spotify:\nhttps://",
  );
  expect(mail.text).toContain("It gets 10 ratings in all.");
  expect(mail.text).toContain("Song info comes from Spotify.");
  expect(links(mail.html)).toContain(`${appOrigin}/ratings-of-my-songs?song=s1#song-s1`);
  expect(links(mail.html)).toContain(song.spotifyUrl);
});

test("the mail that confirms an address names the link, and how long it works", () => {
  const mail = sent(confirmationMail(confirmation), { ...frame, unsubscribeUrl: null });
  expect(mail.subject).toBe("Confirm your e-mail address for Fivefold");
  expect(mail.text).toContain("works for 24 hours.");
  expect(links(mail.html)).toContain(confirmation.url);
  expect(read(mail.html)).toContain(confirmation.url);
  const short = sent(confirmationMail({ ...confirmation, hours: 1 }));
  expect(short.text).toContain("works for 1 hour.");
});

test("the mail with a login's code names the code in subject and text, the link, and how long both work", () => {
  const mail = sent(loginCodeMail(loginCode), { ...frame, unsubscribeUrl: null });
  expect(mail.subject).toBe("012345 is your code for Fivefold");
  expect(mail.text).toContain("Your code is 012345\n");
  expect(read(mail.html)).toContain("Your code is 012345");
  expect(mail.text).toContain("works for 10 minutes.");
  expect(links(mail.html)).toContain(loginCode.url);
  expect(read(mail.html)).toContain(loginCode.url);
});

test("the mail with a login's code greets nobody, because nothing is known of its reader", () => {
  const [mail, ...more] = allMails("Ada").filter(({ subject }) => subject.includes("012345"));
  expect(more).toEqual([]);
  expect(mail?.text).toMatch(/^Hello,\n/);
  expect(`${mail?.html}${mail?.text}`).not.toContain("Ada");
});

test("the mail about a payment past due says that Premium continues, and where to pay", () => {
  const mail = sent(pastDueMail(pastDue, frame));
  expect(mail.subject).toBe("Your last payment for Fivefold Premium failed");
  expect(mail.text).toContain(
    "The payment for your subscription failed on 22 November 2026. Premium continues for now. It is tried again on 25 November 2026.",
  );
  expect(addresses(mail.text)).toContain(`${appOrigin}/account`);
  const bare = { cancelAt: Date.UTC(2026, 11, 22), payment: noSubscription };
  expect(sent(pastDueMail(bare, frame)).text).toContain(
    "The last payment for your subscription failed. Premium continues for now. Your subscription ends on 22 December 2026.",
  );
});

test("the mail that welcomes to Premium says what Premium changes, and when it renews for how much", () => {
  const { premium } = tierConfigs;
  const mail = sent(premiumWelcomeMail(paid, frame));
  expect(mail.subject).toBe("Welcome to Fivefold Premium");
  expect(mail.text).toContain(`${premium.requiredSeconds} seconds`);
  expect(mail.text).toContain(`${premium.ratingsToSubmit} songs`);
  expect(mail.text).toContain(
    "It renews on 22 December 2026: USD 2.99 for a month. You can cancel",
  );
  expect(addresses(mail.text)).toContain(`${appOrigin}/ratings-of-my-songs`);
  expect(sent(premiumWelcomeMail(noSubscription, frame)).text).not.toContain("renews");
});

test("the mail about a cancellation says until when Premium stays, and that no other mail follows", () => {
  const mail = sent(premiumCancelledMail(Date.UTC(2026, 11, 22), frame));
  expect(mail.subject).toBe("Your Fivefold Premium ends on 22 December 2026");
  expect(mail.text).toContain("You keep Premium until 22 December 2026. It does not renew.");
  expect(mail.text).toContain("We won't e-mail you again about this.");
  expect(addresses(mail.text)).toContain(`${appOrigin}/account`);
});

test("the mail about the end of Premium says what Free offers, what stays, and how to come back", () => {
  const { free } = tierConfigs;
  const mail = sent(subscriptionEndedMail(frame));
  expect(mail.subject).toBe("Your Fivefold Premium has ended");
  expect(mail.text).toContain("Your songs and their ratings are still there");
  expect(mail.text).toContain(`${free.requiredSeconds} seconds`);
  expect(mail.text).toContain(`${free.ratingsToSubmit} songs`);
  expect(mail.text).toContain(`${free.maxVisibleRatings} most recent ratings`);
  expect(addresses(mail.text)).toContain(`${appOrigin}/subscribe`);
});

test("the mails about payment do not credit Spotify, as they name no songs", () => {
  for (const mail of [
    sent(pastDueMail(pastDue, frame)),
    sent(subscriptionEndedMail(frame)),
    sent(premiumWelcomeMail(paid, frame)),
    sent(premiumCancelledMail(Date.UTC(2026, 11, 22), frame)),
  ]) {
    expect(mail.html + mail.text).not.toContain("Spotify");
  }
});
