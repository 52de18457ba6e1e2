import {
  type Declaration,
  declarationMail,
  openDeclarationMail,
} from "~/letters/declaration-mails";
import { exportMail } from "~/letters/export-mail";
import type { MailContent, MailFrame } from "~/letters/mail";
import { noticeDecisionMail, noticeMail, reportDecisionMail } from "~/letters/notice-mails";
import {
  pastDueMail,
  premiumCancelledMail,
  premiumWelcomeMail,
  subscriptionEndedMail,
} from "~/letters/premium-mails";
import { confirmationMail, loginCodeMail } from "~/letters/proof-mails";
import type { RatedSong } from "~/letters/rated-song";
import { ratingMail } from "~/letters/rating-mail";
import { renderMail } from "~/letters/render";
import { type MailRound, roundMail } from "~/letters/round-mail";
import {
  decisionMail,
  newMixMail,
  releaseMail,
  restingMail,
  songsAgainMail,
  submissionMail,
} from "~/letters/song-mails";
import { termsMail } from "~/letters/terms-mail";
import { noSubscription } from "~/members/tiers";
import type { MailBody } from "~/outbox/mailer";
import type { MailKind } from "~/outbox/owe-mail.server";

export const appOrigin = "https://fivefold.example";
export const unsubscribeUrl = `${appOrigin}/unsubscribe?token=a.b`;
export const frame: MailFrame = {
  appOrigin,
  operator: "Mill Lane Music\nMill Lane 5",
  contactEmail: "hello@fivefold.example",
  unsubscribeUrl,
};
export const song: RatedSong = {
  songId: "s1",
  title: "Midnight Ferry",
  artists: ["The Lanterns", "Ada Quist"],
  spotifyUrl: "https://open.spotify.com/track/t1",
  tint: 5,
  scores: [3],
  hidden: 0,
  received: 3,
  entitled: 5,
};
export const confirmation = {
  url: `${appOrigin}/confirm?t=x`,
  hours: 24,
};
export const loginCode = {
  code: "012345",
  url: `${appOrigin}/login/link?token=x`,
  minutes: 10,
};
const round: MailRound = {
  name: "Friday round",
  token: "t",
  endsAt: Date.UTC(2026, 10, 28, 20),
  at: Date.UTC(2026, 10, 26),
  isTheirs: true,
  hasListened: false,
  left: 6,
};
export const paid = {
  ...noSubscription,
  renewsAt: Date.UTC(2026, 11, 22),
  price: "USD 2.99 for a month",
};
export const pastDue = {
  cancelAt: null,
  payment: {
    ...paid,
    failedAt: Date.UTC(2026, 10, 22),
    retryAt: Date.UTC(2026, 10, 25),
  },
};

const reason = "It is “noise” & more.";
const notice = { id: "3f2a91bc-0000-4000-8000-000000000000", createdAt: Date.UTC(2026, 10, 28) };

/** A mail as it is sent. */
export function sent(content: MailContent, within = frame, name = "Ada"): MailBody {
  return renderMail(content, name, within);
}

/** The mail about ratings of a song with these changes. */
export function ratedMail(
  changes: Partial<RatedSong> = {},
  within: Parameters<typeof ratingMail>[1] = frame,
  name = "Ada",
) {
  return sent(ratingMail([{ ...song, ...changes }], within), within, name);
}

const declared: Declaration = {
  ...{ id: "d1", kind: "cancel", address: "ada@musicians.example", isDone: false, isKnown: true },
  createdAt: Date.UTC(2026, 10, 22),
};

/** All kinds of mails, to a user of this name, about a song with these changes. */
export function allMails(name: string, changes: Partial<RatedSong> = {}, within = frame) {
  const changed = { ...song, ...changes };
  const byKind: Record<MailKind, MailContent[]> = {
    rating: [
      ratingMail([changed], within),
      ratingMail([changed, { ...song, songId: "s2", title: "Other" }], within),
    ],
    submission: [submissionMail(changed, within)],
    resting: [restingMail({ ...changed, owed: 2 }, within)],
    confirmation: [confirmationMail(confirmation)],
    login_code: [loginCodeMail(loginCode)],
    past_due: [pastDueMail(pastDue, within)],
    premium_welcome: [premiumWelcomeMail(paid, within)],
    premium_cancelled: [premiumCancelledMail(Date.UTC(2026, 11, 22), within)],
    premium_ended: [subscriptionEndedMail(within)],
    terms: [termsMail({ from: Date.UTC(2027, 0, 1), changes: "A round costs nothing." }, within)],
    declaration: [true, false].map((isKnown) =>
      declarationMail({ ...declared, isKnown }, "https://fivefold.example/cancel?token=t"),
    ),
    declaration_open: [openDeclarationMail(declared)],
    release: [
      releaseMail(
        { ...changed, spotifyUrl: null, url: "https://ada.bandcamp.com/track/x" },
        within,
      ),
    ],
    new_mix: [newMixMail({ ...changed, spotifyUrl: null, url: null }, within)],
    songs_again: [songsAgainMail(within)],
    round_begins: [roundMail("begins")(round, within)],
    round_ends: [roundMail("ends")({ ...round, left: 1 }, within)],
    round_open: [true, false].map((hasListened) =>
      roundMail("open")({ ...round, hasListened }, within),
    ),
    decision: (["take_out", "put_back", "delete_file", "lock", "unlock"] as const).map((action) => {
      const about = action === "lock" || action === "unlock" ? null : changed;
      const decided = { reason, ground: "law" as const, isReported: true };
      return decisionMail({ action, ...decided, song: about }, within);
    }),
    notice: [noticeMail(notice)],
    notice_decision: ["take_out", "dismiss"].map((action) =>
      noticeDecisionMail(notice, { action, reason, song: null }),
    ),
    report_decision: ["delete_file", "put_back"].map((action) =>
      reportDecisionMail({ action, reason, song: changed }),
    ),
  };
  return Object.entries({ ...byKind, export: [exportMail] }).flatMap(([kind, contents]) =>
    contents.map((content) => sent(content, within, nobody.includes(kind) ? "" : name)),
  );
}

/** They go to an address, whoever has it (the outbox's `outbox_user_known`). */
const nobody = ["login_code", "declaration", "declaration_open", "notice", "notice_decision"];

/** Those that greet by a name: a login's code, and mails about a notice, go to somebody of whom nothing is known. */
export function greetingMails(...about: Parameters<typeof allMails>) {
  return allMails(...about).filter(
    ({ subject }) => !/^012345|, number |cancellation|withdrawal/.test(subject),
  );
}

/** The visible text of the HTML, on one line. */
export function read(html: string): string {
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

/** The preview that an inbox shows next to the subject. */
export function preview(html: string): string {
  return (read(html).split("\u034f")[0] ?? "").trim();
}

/** The headings of the HTML. */
export function headings(html: string): string[] {
  return [...html.matchAll(/<h1[^>]*>(.*?)<\/h1>/g)].map(([, words]) => words ?? "");
}

export function links(html: string): string[] {
  return [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) =>
    (href ?? "").replaceAll("&amp;", "&").replaceAll("&#x27;", "'"),
  );
}

/** The lines of the text that consist of a web address. */
export function addresses(text: string): string[] {
  return text.split("\n").filter((line) => /^https?:\S+$/.test(line));
}
