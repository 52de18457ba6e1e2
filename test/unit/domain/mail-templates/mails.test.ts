import { describe, expect, test } from "vitest";
import { confirmationMail } from "~/domain/mail-templates/confirmation-mail";
import type { MailBody, MailFrame } from "~/domain/mail-templates/mail";
import { pastDueMail } from "~/domain/mail-templates/past-due-mail";
import { type RatedSong, ratingMail } from "~/domain/mail-templates/rating-mail";
import { restingMail } from "~/domain/mail-templates/resting-mail";
import { submissionMail } from "~/domain/mail-templates/submission-mail";
import { subscriptionEndedMail } from "~/domain/mail-templates/subscription-ended-mail";
import { tierConfigs } from "~/domain/tiers/tiers";

const appOrigin = "https://fivefold.example";
const unsubscribeUrl = `${appOrigin}/unsubscribe?token=a.b`;
const frame: MailFrame = {
  appOrigin,
  operator: "Mill Lane Music\nMill Lane 5",
  contactEmail: "hello@fivefold.example",
  unsubscribeUrl,
};
const song: RatedSong = {
  songId: "s1",
  title: "Midnight Ferry",
  artists: ["The Lanterns", "Ada Quist"],
  spotifyUrl: "https://open.spotify.com/track/t1",
  labels: ["Great Song"],
  hidden: 0,
  received: 3,
  entitled: 5,
};
const confirmation = { address: "ada@mail.example", url: `${appOrigin}/confirm?t=x`, hours: 24 };

/** All kinds of mails, to a user of this name, about a song with these changes. */
function allMails(name: string, changes: Partial<RatedSong> = {}, within = frame) {
  const changed = { ...song, ...changes };
  return [
    ratingMail(name, [changed], within),
    ratingMail(name, [changed, { ...song, songId: "s2", title: "Other" }], within),
    submissionMail(name, changed, within),
    restingMail(name, { ...changed, owed: 2 }, within),
    confirmationMail(name, confirmation, within),
    pastDueMail(name, within),
    subscriptionEndedMail(name, within),
  ];
}

/** The visible text of the HTML, on one line. */
function read(html: string): string {
  return html
    .replace(/^.*<body/s, "<body")
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&#x27;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ");
}

function links(html: string): string[] {
  return [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) =>
    (href ?? "").replaceAll("&amp;", "&").replaceAll("&#x27;", "'"),
  );
}

/** The lines of the text that consist of a web address. */
function addresses(text: string): string[] {
  return text.split("\n").filter((line) => /^https?:\S+$/.test(line));
}

describe("every mail", () => {
  test("is a document with a language that supports both colour schemes", () => {
    for (const { html } of allMails("Ada")) {
      expect(html).toMatch(/^<!doctype html><html lang="en"/);
      expect(html).toContain('<meta charSet="utf-8"/>');
      expect(html).toContain('name="viewport"');
      expect(html).toContain('<meta name="color-scheme" content="light dark"/>');
      expect(html).toContain('<meta name="supported-color-schemes" content="light dark"/>');
    }
  });

  test("has style sheets that React has not escaped", () => {
    for (const { html } of allMails("Ada")) {
      const sheets = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, css]) => css);
      expect(sheets.join()).toContain("@media (prefers-color-scheme: dark)");
      expect(sheets.join()).toContain("[data-ogsc] .ink{");
      expect(sheets.join()).not.toContain("&");
    }
  });

  test("loads nothing when it is opened", () => {
    for (const { html } of allMails("Ada")) {
      expect(html).not.toMatch(
        /\ssrc=|srcset|url\(|@import|<link|<img|<script|<form|<iframe|background=/i,
      );
    }
  });

  test("marks its layout tables as such", () => {
    for (const { html } of allMails("Ada")) {
      const tables = html.match(/<table[^>]*>/g) ?? [];
      expect(tables.length).toBeGreaterThan(2);
      for (const table of tables) expect(table).toContain('role="presentation"');
    }
  });

  test("greets by name, or without one", () => {
    for (const mail of allMails("Ada")) {
      expect(read(mail.html)).toContain("Hello Ada ,");
      expect(mail.text).toMatch(/^Hello Ada,\n/);
    }
    for (const mail of allMails(" \n ")) {
      expect(read(mail.html)).toContain("Hello,");
      expect(mail.text).toMatch(/^Hello,\n/);
    }
  });

  test("keeps a name in its own writing direction, and shortens an endless one", () => {
    for (const { html } of allMails("דנה")) expect(html).toContain('<bdi dir="auto">דנה</bdi>');
    for (const { text } of allMails("👩‍👩‍👧".repeat(500))) {
      expect(text.split("\n")[0]).toBe(`Hello ${"👩‍👩‍👧".repeat(30)}…,`);
    }
  });

  test("says who sends it, why, and where the settings are", () => {
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

  test("has an unsubscribe link if there is one, and otherwise does not mention it", () => {
    for (const mail of allMails("Ada")) {
      expect(links(mail.html)).toContain(unsubscribeUrl);
      expect(addresses(mail.text)).toContain(unsubscribeUrl);
    }
    for (const mail of allMails("Ada", {}, { ...frame, unsubscribeUrl: null })) {
      expect(mail.html + mail.text).not.toMatch(/unsubscribe/i);
    }
  });

  test("has the same links in HTML and in text, where each has a line of its own", () => {
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

  test("says everything in HTML that it says in text", () => {
    const given = { hidden: 2, labels: ["Great Song", "Not for me"], received: 4 };
    for (const mail of allMails("Ada", given)) {
      const html = read(mail.html).replaceAll(" ,", ",").replaceAll(" .", ".");
      for (const line of mail.text.split("\n")) {
        const words = line.replace(/^ {2}\* |:$/g, "");
        if (words === "" || words === "-----" || words.includes("://")) continue;
        expect(html).toContain(words);
      }
    }
  });
});

describe("hostile texts", () => {
  const title = `<script>alert(1)</script> "x" 'y' & </title><b onclick=z>`;

  test("are escaped", () => {
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
  ])("do not become a link (%j)", (spotifyUrl) => {
    const mails = [
      ratingMail("Ada", [{ ...song, spotifyUrl }], frame),
      submissionMail("Ada", { ...song, spotifyUrl }, frame),
    ];
    for (const mail of mails) {
      expect(mail.html).toContain(`<bdi dir="auto">Midnight Ferry</bdi>`);
      expect(mail.html + mail.text).not.toMatch(/javascript|data:text|evil/i);
    }
  });

  test("cannot start a new line in the text", () => {
    for (const { text } of allMails("A\n1:", {
      title: "B\r\n2:",
      artists: ["D\u20283:"],
    })) {
      expect(text).not.toMatch(/^\d:/m);
    }
  });

  test("in a name do not become a link in the mail to an unconfirmed address", () => {
    for (const name of ["Win at evil.example", "http://1.2.3.4/x", "a@evil.example"]) {
      const mail = confirmationMail(name, confirmation, frame);
      expect(mail.html + mail.text).not.toContain(name);
      expect(mail.text).toMatch(/^Hello,\n/);
    }
    expect(confirmationMail("J. S. Bach", confirmation, frame).text).toMatch(/^Hello J. S. Bach,/);
  });
});

describe("the subject", () => {
  test("has no control characters, line breaks or changes of writing direction", () => {
    const title = "A\r\nBcc: x@y.example\u0000\u0007\u2028B\u202eC\u2066";
    for (const { subject } of allMails(title, { title })) {
      expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
    }
    expect(ratingMail("", [{ ...song, title }], frame).subject).toContain("A Bcc: x@y.example BC");
  });

  test.each([
    ["a long title", "Very long title ".repeat(40)],
    ["families", "👨‍👩‍👧‍👦".repeat(80)],
    ["flags", "🇦🇹".repeat(80)],
    ["letters with many marks", `e${"\u0301".repeat(3000)}`.repeat(3)],
  ])("shortens %s between characters", (_, title) => {
    for (const { subject } of allMails("", { title })) {
      expect(Array.from(new Intl.Segmenter().segment(subject)).length).toBeLessThanOrEqual(80);
      expect(subject.length).toBeLessThan(260);
      expect(subject).not.toMatch(/\p{Surrogate}/u);
    }
    const { subject } = ratingMail("", [{ ...song, title }], frame);
    const kept = /“(.*)…”$/u.exec(subject)?.[1] ?? "none";
    const whole = Array.from(new Intl.Segmenter().segment(title), ({ segment }) => segment);
    expect(whole.some((_, n) => whole.slice(0, n).join("").trimEnd() === kept)).toBe(true);
  });

  test("does not shorten a title of usual length, and the body shortens none", () => {
    expect(ratingMail("", [song], frame).subject).toBe("New rating (3 of 5) for “Midnight Ferry”");
    const title = `${"Very long title ".repeat(40)}end`;
    const mail = ratingMail("", [{ ...song, title }], frame);
    expect(mail.html).toContain(title);
    expect(mail.text).toContain(title);
  });
});

describe("the mail about a submission", () => {
  test("names the song, what it is entitled to, and where its ratings will be", () => {
    const mail = submissionMail("Ada", { ...song, entitled: 10 }, frame);
    expect(mail.subject).toBe("Your song was added: “Midnight Ferry”");
    expect(mail.text).toContain("Midnight Ferry\nThe Lanterns, Ada Quist\nhttps://open.spotify");
    expect(mail.text).toContain("entitled to 10 ratings");
    expect(mail.text).toContain("Song info comes from Spotify.");
    expect(links(mail.html)).toContain(`${appOrigin}/ratings-of-my-songs?song=s1#song-s1`);
    expect(links(mail.html)).toContain(song.spotifyUrl);
  });
});

describe("the mail that confirms an address", () => {
  test("names the address, and the link with how long it works", () => {
    const mail = confirmationMail("Ada", confirmation, { ...frame, unsubscribeUrl: null });
    expect(mail.subject).toBe("Confirm your e-mail address for Fivefold");
    expect(mail.text).toContain("ada@mail.example");
    expect(mail.text).toContain("works for 24 hours.");
    expect(links(mail.html)).toContain(confirmation.url);
    expect(read(mail.html)).toContain(confirmation.url);
    const short = confirmationMail("Ada", { ...confirmation, hours: 1 }, frame);
    expect(short.text).toContain("works for 1 hour.");
  });
});

describe("the mails about payment", () => {
  test("past due: Premium continues, and where to pay", () => {
    const mail = pastDueMail("Ada", frame);
    expect(mail.subject).toBe("Your last payment for Fivefold Premium failed");
    expect(mail.text).toContain("Premium continues for now.");
    expect(mail.text).toContain("Manage Subscription");
    expect(addresses(mail.text)).toContain(`${appOrigin}/`);
  });

  test("ended: what Free offers, what stays, and the way back", () => {
    const { free } = tierConfigs;
    const mail = subscriptionEndedMail("Ada", frame);
    expect(mail.subject).toBe("Your Fivefold Premium has ended");
    expect(mail.text).toContain("Your songs and their ratings are still there");
    expect(mail.text).toContain(`${free.listeningTimeRequired} seconds`);
    expect(mail.text).toContain(`${free.songsToRateBeforeUpload} songs`);
    expect(mail.text).toContain(`${free.maxVisibleRatings} most recent ratings`);
    expect(addresses(mail.text)).toContain(`${appOrigin}/subscribe`);
  });

  test("do not credit Spotify, as they name no songs", () => {
    const mails: MailBody[] = [pastDueMail("Ada", frame), subscriptionEndedMail("Ada", frame)];
    for (const mail of mails) expect(mail.html + mail.text).not.toContain("Spotify");
  });
});
