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
import { type MailFacts, readMailFacts } from "./facts.server";
import type { MailContent, MailFrame } from "./mail";
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
import { renderMail } from "./render";
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

type Frame = MailFrame & MailConfig;

interface Letter {
  /** Without one nothing ends it: somebody has just asked for it, or has to know. */
  topic?: MailTopic;
  /** Things have changed since the mail was owed. */
  isOutdated?(facts: MailFacts): boolean;
  /** Null if what it is about is gone. */
  write(facts: MailFacts, frame: Frame): MailContent | null | Promise<MailContent | null>;
}

/** A letter about something that is null once the mail is outdated. */
function about<Subject>(
  subject: (facts: MailFacts) => Subject | null,
  write: (about: Subject, frame: Frame) => MailContent,
): Letter {
  return {
    isOutdated: (facts) => subject(facts) === null,
    write(facts, frame) {
      const its = subject(facts);
      return its === null ? null : write(its, frame);
    },
  };
}

const theirRound = ({ round }: MailFacts) => (round?.isTheirs ? round : null);

const letters: Record<MailKind, Letter> = {
  rating: {
    topic: "rating",
    write({ ratings, subscription, readAt, wants, waiting }, frame) {
      const { maxVisibleRatings: maxVisible } = tierConfigOf(
        subscription.tier,
        frame.offers.premium,
      );
      const rated = groupBySong(ratings, { maxVisible, now: readAt });
      return rated.length > 0
        ? ratingMail(rated, { ...frame, rhythm: wants.rhythm, waiting })
        : null;
    },
  },
  submission: {
    topic: "rating",
    write: ({ submittedSong }, frame) => submittedSong && submissionMail(submittedSong, frame),
  },
  resting: { topic: "rating", ...about(({ restingSong }) => restingSong, restingMail) },
  confirmation: {
    async write({ proof }, { appOrigin, sessionSecret }) {
      if (!proof) return null;
      const token = await confirmationToken(sessionSecret, proof.id);
      const url = `${appOrigin}/confirm-email?token=${token}`;
      return confirmationMail({ url, hours: confirmationHours });
    },
  },
  login_code: {
    async write({ proof }, { appOrigin, sessionSecret }) {
      if (!proof) return null;
      const code = await codeOf(sessionSecret, proof.id);
      const url = `${appOrigin}/login/link?token=${await linkToken(sessionSecret, proof.id)}`;
      return loginCodeMail({ code, url, minutes: codeMinutes });
    },
  },
  past_due: {
    topic: "subscription",
    ...about(
      ({ subscription }) => (subscription.showPaymentWarning ? subscription : null),
      pastDueMail,
    ),
  },
  premium_ended: {
    topic: "subscription",
    isOutdated: ({ subscription }) => subscription.tier === "premium",
    write: (_, frame) => subscriptionEndedMail(frame),
  },
  premium_welcome: {
    topic: "subscription",
    // A cancellation has a mail of its own.
    ...about(
      ({ subscription: { tier, cancelAt, payment } }) =>
        tier === "premium" && cancelAt === null ? payment : null,
      premiumWelcomeMail,
    ),
  },
  premium_cancelled: {
    topic: "subscription",
    ...about(
      ({ subscription: { tier, cancelAt } }) => (tier === "premium" ? cancelAt : null),
      premiumCancelledMail,
    ),
  },
  decision: { write: ({ decision }, frame) => decision && decisionMail(decision, frame) },
  report_decision: { write: ({ answer }) => answer && reportDecisionMail(answer) },
  notice: { topic: "notices", ...about(({ notice }) => notice, noticeMail) },
  notice_decision: {
    topic: "notices",
    isOutdated: ({ answer }) => answer === null,
    write: ({ notice, answer }) => notice && answer && noticeDecisionMail(notice, answer),
  },
  release: { topic: "songs", ...about(({ releasedSong }) => releasedSong, releaseMail) },
  new_mix: { topic: "songs", ...about(({ releasedSong }) => releasedSong, newMixMail) },
  songs_again: {
    topic: "songs",
    isOutdated: ({ drawnSince }) => drawnSince,
    write: (_, frame) => songsAgainMail(frame),
  },
  terms: { write: (_, frame) => termsMail(frame.terms, frame) },
  declaration: {
    async write({ declaration }, { appOrigin, sessionSecret }) {
      if (!declaration) return null;
      const token = await signToken(sessionSecret, declarationPurpose, declaration.id);
      return declarationMail(declaration, `${appOrigin}/${declaration.kind}?token=${token}`);
    },
  },
  declaration_open: { write: ({ declaration }) => declaration && openDeclarationMail(declaration) },
  round_begins: { topic: "rounds", ...about(theirRound, roundMail("begins")) },
  round_ends: { topic: "rounds", ...about(theirRound, roundMail("ends")) },
  round_open: { topic: "rounds", ...about(({ round }) => round, roundMail("open")) },
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
    return { to: proof.address, isSecret };
  }
  if (kind === "declaration_open") {
    return !declaration || declaration.isDone ? { skip: "over" } : { to: contactEmail };
  }
  if (returned) return { skip: returned };
  if (kind === "declaration") {
    const to = declaration?.address;
    return to ? { to } : { skip: "gone" };
  }
  const { topic, isOutdated } = letters[kind];
  if (isOutdated?.(facts)) return { skip: "over" };
  // The user has asked for the others' very mail, so no setting switches it off.
  const isSwitched = topic === "rating" || topic === "subscription";
  if (isSwitched && !wants[topic]) return { skip: "unwanted" };
  if (!address) return { skip: "no address" };
  if (!topic) return { to: address };
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
  config: MailConfig,
): Promise<MailBody | Skip> {
  const told = facts.confirmed && facts.kind !== "confirmation" ? facts : unlinkableFacts(facts);
  const frame = { ...config, unsubscribeUrl };
  const content = await letters[facts.kind].write(told, frame);
  return content ? renderMail(content, told.displayName, frame) : { skip: "gone" };
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
  ratings: MailFacts["ratings"],
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
