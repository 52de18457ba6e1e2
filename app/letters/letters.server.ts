import type { DatabaseAndClock } from "~/db/client.server";
import type { SeenRatings } from "~/db/settled";
import { countReasons, reasonsSentence } from "~/exchange/rating/reasons";
import { isScore } from "~/exchange/rating/scale";
import { codeMinutes } from "~/login/login-code";
import { codeOf, linkToken } from "~/login/login-code.server";
import { confirmationHours, confirmationToken } from "~/mailing/address.server";
import type { MailTopic } from "~/mailing/email-preferences";
import { unsubscribeToken } from "~/mailing/unsubscribe.server";
import { tierConfigOf } from "~/members/tiers";
import type { ReadLetters, Recipient, Skip } from "~/outbox/deliver.server";
import type { MailBody } from "~/outbox/mailer";
import type { MailKind } from "~/outbox/owe-mail.server";
import { signToken } from "~/platform/crypto.server";
import type { Config } from "~/platform/env";
import { declarationPurpose } from "~/premium/declaration";
import { countLiked } from "~/results/opinions";
import { rangeSentence, verdict } from "~/results/sentences";
import { rangeOfHundred } from "~/results/statistics";
import { declarationMail, openDeclarationMail } from "./declaration-mails";
import { type MailFacts, type RatingFacts, readMailFacts } from "./facts.server";
import { noticeDecisionMail, noticeMail, reportDecisionMail } from "./notice-mails";
import {
  pastDueMail,
  premiumCancelledMail,
  premiumWelcomeMail,
  subscriptionEndedMail,
} from "./premium-mails";
import { confirmationMail, loginCodeMail } from "./proof-mails";
import type { MailResult, RatedSong } from "./rated-song";
import { ratingMail } from "./rating-mail";
import { roundMail } from "./round-mail";
import {
  decisionMail,
  newMixMail,
  releaseMail,
  restingMail,
  songsAgainMail,
  submissionMail,
} from "./song-mails";
import { termsMail } from "./terms-mail";
import { unlinkable, unlinkableSong } from "./wording";

type MailConfig = Pick<
  Config,
  "appOrigin" | "operator" | "contactEmail" | "sessionSecret" | "mailBcc" | "offers" | "terms"
>;

/** The outbox sends letters without knowing what they say. */
export function letterReader({
  db,
  config,
  now,
}: DatabaseAndClock & { config: MailConfig }): ReadLetters {
  return async (ids) => {
    const factsById = await readMailFacts(db, ids, { secret: config.sessionSecret, now: now() });
    return new Map(
      [...factsById].map(([id, facts]) => [
        id,
        {
          recipient: () => chooseRecipient(facts, config),
          compose: (unsubscribeUrl) => composeMail(facts, unsubscribeUrl, config),
        },
      ]),
    );
  };
}

interface MailRule {
  topic: MailTopic;
  /** Things have changed since the mail was owed. */
  isOutdated(facts: MailFacts): boolean;
}

/**
/**
 * A confirmation, a login's code and a declaration's receipt have no rule, because somebody has just asked for them.
 * A decision and new terms have none, because who gets them has to know.
 */
type Unruled =
  | "confirmation"
  | "login_code"
  | "decision"
  | "report_decision"
  | "terms"
  | "declaration"
  | "declaration_open";

const rules: Record<Exclude<MailKind, Unruled>, MailRule> = {
  rating: { topic: "rating", isOutdated: () => false },
  submission: { topic: "rating", isOutdated: () => false },
  resting: { topic: "rating", isOutdated: ({ restingSong }) => restingSong === null },
  past_due: {
    topic: "subscription",
    isOutdated: ({ subscription }) => !subscription.showPaymentWarning,
  },
  premium_ended: {
    topic: "subscription",
    isOutdated: ({ subscription }) => subscription.tier === "premium",
  },
  premium_welcome: {
    topic: "subscription",
    // A cancellation has a mail of its own.
    isOutdated: ({ subscription }) =>
      subscription.tier !== "premium" || subscription.cancelAt !== null,
  },
  premium_cancelled: {
    topic: "subscription",
    isOutdated: ({ subscription }) =>
      subscription.tier !== "premium" || subscription.cancelAt === null,
  },
  release: { topic: "songs", isOutdated: ({ releasedSong }) => releasedSong === null },
  new_mix: { topic: "songs", isOutdated: ({ releasedSong }) => releasedSong === null },
  songs_again: { topic: "songs", isOutdated: ({ drawnSince }) => drawnSince },
  round_begins: { topic: "rounds", isOutdated: ({ round }) => !round?.isTheirs },
  round_ends: { topic: "rounds", isOutdated: ({ round }) => !round?.isTheirs },
  round_open: { topic: "rounds", isOutdated: ({ round }) => round === null },
  notice: { topic: "notices", isOutdated: ({ notice }) => notice === null },
  notice_decision: { topic: "notices", isOutdated: ({ answer }) => answer === null },
};

/**
 * Decides at every attempt who gets a mail. A user who has switched such mails off since gets none, and
 * neither does an address that has unsubscribed, or from which a mail came back.
 */
async function chooseRecipient(
  facts: MailFacts,
  { sessionSecret, appOrigin, mailBcc, contactEmail }: MailConfig,
): Promise<Recipient | Skip> {
  const { kind, address, wants, ended, returned, proof, declaration } = facts;
  if (kind === "confirmation" || kind === "login_code") {
    if (!proof?.open) return { skip: "superseded" };
    // No copy: nobody else may have the link.
    const isSecret = kind === "login_code";
    return { to: proof.address, bcc: null, unsubscribeUrl: null, isSecret };
  }
  if (kind === "declaration_open") {
    const isOver = !declaration || declaration.isDone;
    return isOver ? { skip: "over" } : { to: contactEmail, bcc: null, unsubscribeUrl: null };
  }
  if (returned) return { skip: returned };
  if (kind === "declaration") {
    const to = declaration?.address;
    return to ? { to, bcc: null, unsubscribeUrl: null } : { skip: "gone" };
  }
  if (kind === "decision" || kind === "report_decision" || kind === "terms") {
    return address ? { to: address, bcc: null, unsubscribeUrl: null } : { skip: "no address" };
  }
  const { topic, isOutdated } = rules[kind];
  if (isOutdated(facts)) return { skip: "over" };
  // The user has asked for the others' very mail, so no setting switches it off.
  const isSwitched = topic === "rating" || topic === "subscription";
  if (isSwitched && !wants[topic]) return { skip: "unwanted" };
  if (!address) return { skip: "no address" };
  if (ended[topic]) return { skip: "unsubscribed" };
  const token = await unsubscribeToken(sessionSecret, { topic, address });
  return {
    to: address,
    bcc: topic === "rating" ? mailBcc : null,
    unsubscribeUrl: `${appOrigin}/unsubscribe?token=${token}`,
  };
}

/**
 * Renders a mail, or skips it if its subject is gone. To an address that nobody has confirmed, it contains
 * no name and no title that a mail client might turn into a link.
 */
async function composeMail(
  facts: MailFacts,
  unsubscribeUrl: string | null,
  { appOrigin, operator, contactEmail, sessionSecret, offers, terms }: MailConfig,
): Promise<MailBody | Skip> {
  const { kind, subscription, proof, wants } = facts;
  const {
    displayName,
    ratings,
    submittedSong,
    restingSong,
    releasedSong,
    decision,
    answer,
    round,
    notice,
  } = facts.confirmed && kind !== "confirmation" ? facts : unlinkableFacts(facts);
  const frame = { appOrigin, operator, contactEmail, unsubscribeUrl };
  switch (kind) {
    case "rating": {
      const { maxVisibleRatings: maxVisible } = tierConfigOf(subscription.tier, offers.premium);
      const rated = groupBySong(ratings, { maxVisible, now: facts.readAt });
      return rated.length > 0
        ? ratingMail(displayName, rated, { ...frame, rhythm: wants.rhythm, waiting: facts.waiting })
        : { skip: "gone" };
    }
    case "submission":
      return submittedSong ? submissionMail(displayName, submittedSong, frame) : { skip: "gone" };
    case "resting":
      return restingSong ? restingMail(displayName, restingSong, frame) : { skip: "over" };
    case "confirmation": {
      if (!proof) return { skip: "gone" };
      const token = await confirmationToken(sessionSecret, proof.id);
      const url = `${appOrigin}/confirm-email?token=${token}`;
      return confirmationMail(displayName, { url, hours: confirmationHours }, frame);
    }
    case "login_code": {
      if (!proof) return { skip: "gone" };
      const code = await codeOf(sessionSecret, proof.id);
      const url = `${appOrigin}/login/link?token=${await linkToken(sessionSecret, proof.id)}`;
      return loginCodeMail({ code, url, minutes: codeMinutes }, frame);
    }
    case "past_due":
      return pastDueMail(displayName, subscription, frame);
    case "premium_ended":
      return subscriptionEndedMail(displayName, frame);
    case "premium_welcome":
      return premiumWelcomeMail(displayName, subscription.payment, frame);
    case "premium_cancelled":
      return subscription.cancelAt === null
        ? { skip: "over" }
        : premiumCancelledMail(displayName, subscription.cancelAt, frame);
    case "decision":
      return decision ? decisionMail(displayName, decision, frame) : { skip: "gone" };
    case "report_decision":
      return answer ? reportDecisionMail(displayName, answer, frame) : { skip: "gone" };
    case "notice":
      return notice ? noticeMail(notice, frame) : { skip: "gone" };
    case "notice_decision":
      return notice && answer ? noticeDecisionMail(notice, answer, frame) : { skip: "gone" };
    case "release":
      return releasedSong ? releaseMail(displayName, releasedSong, frame) : { skip: "over" };
    case "new_mix":
      return releasedSong ? newMixMail(displayName, releasedSong, frame) : { skip: "over" };
    case "songs_again":
      return songsAgainMail(displayName, frame);
    case "terms":
      return termsMail(displayName, terms, frame);
    case "declaration":
    case "declaration_open": {
      const { declaration } = facts;
      if (!declaration) return { skip: "gone" };
      if (kind === "declaration_open") return openDeclarationMail(declaration, frame);
      const token = await signToken(sessionSecret, declarationPurpose, declaration.id);
      const url = `${appOrigin}/${declaration.kind}?token=${token}`;
      return declarationMail(declaration, url, frame);
    }
    case "round_begins":
    case "round_ends":
    case "round_open":
      return round ? roundMail(kind, displayName, round, frame) : { skip: "gone" };
  }
}

function unlinkableFacts(facts: MailFacts): MailFacts {
  const { round, submittedSong, restingSong, releasedSong, decision, answer } = facts;
  return {
    ...facts,
    round: round && { ...round, name: unlinkable(round.name) },
    displayName: unlinkable(facts.displayName),
    ratings: facts.ratings.map(unlinkableSong),
    submittedSong: submittedSong && unlinkableSong(submittedSong),
    restingSong: restingSong && unlinkableSong(restingSong),
    releasedSong: releasedSong && { ...unlinkableSong(releasedSong), url: null },
    decision: decision && { ...decision, song: decision.song && unlinkableSong(decision.song) },
    answer: answer && { ...answer, song: answer.song && unlinkableSong(answer.song) },
  };
}

/**
 * The owner sees the labels of the newest `maxVisible` ratings of a song; -1 for all. Later ones than the mail tells
 * are not counted: they can still change (rule 18, one rating), or have a mail of their own, so that no two say the same number.
 */
function groupBySong(
  ratings: RatingFacts[],
  { maxVisible, now }: { maxVisible: number; now: number },
): RatedSong[] {
  const bySong = new Map<string, RatedSong>();
  for (const { score, newer, newest, ...song } of ratings) {
    if (!isScore(score)) continue;
    const received = song.received - newer;
    const rated = bySong.get(song.songId) ?? { ...song, received, scores: [], hidden: 0 };
    if (newest) {
      const shown = maxVisible < 0 ? newest : newest.slice(0, maxVisible);
      const seen = shown
        .slice(song.received - rated.received)
        .toReversed()
        .map(([score, reasons, at]) => ({ score, reasons, at }));
      rated.result = resultOf({ seen, received: rated.received, now });
    }
    if (maxVisible < 0 || newer < maxVisible) rated.scores.push(score);
    else rated.hidden += 1;
    bySong.set(song.songId, rated);
  }
  return [...bySong.values()];
}

function resultOf(
  look: SeenRatings<{ at: number; score: number; reasons: number | null }>,
): MailResult {
  const scores = look.seen.map(({ score }) => score).filter(isScore);
  const counts = countLiked(scores);
  const range = rangeOfHundred(counts);
  const hidden = Math.max(0, look.received - scores.length);
  return {
    scores,
    hidden,
    verdict: verdict(counts, look.received),
    sentences: [range && rangeSentence(range), reasonsSentence(countReasons(look))].filter(
      (sentence) => sentence !== null,
    ),
  };
}
