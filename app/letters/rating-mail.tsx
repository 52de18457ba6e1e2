import { toneOf } from "~/covers/tones";
import { ratingLabel } from "~/exchange/rating/scale";
import type { RatingMailRhythm } from "~/mailing/email-preferences";
import type { MailBody } from "~/outbox/mailer";
import { counted, inWords } from "~/platform/text";
import { waitingText } from "~/results/sentences";
import { button, heading, paragraph, quietParagraph, ratingsUrl, resultUrl } from "./blocks";
import type { Block, MailFrame } from "./mail";
import type { MailResult, RatedSong } from "./rated-song";
import { labelHeading, labelList, lock, received, result } from "./rating-blocks";
import { renderMail } from "./render";
import { song } from "./song-block";
import { onlyYouSeeRatings, quoted, whySongMails } from "./wording";

const maxSongsShown = 10;

const rhythmTexts: Record<RatingMailRhythm, string> = {
  each: "",
  complete: " You chose to get them once all five ratings of a song are in.",
};

/** Tells an owner of new ratings, but not who gave them. Ratings that a free user may not see are only counted. */
export function ratingMail(
  name: string,
  songs: RatedSong[],
  {
    rhythm = "each",
    waiting = 0,
    ...frame
  }: MailFrame & { rhythm?: RatingMailRhythm; waiting?: number },
): MailBody {
  const waits = waitingText(waiting);
  const [first] = songs;
  const content = songs.length === 1 && first ? aboutOne(first, frame) : aboutMany(songs, frame);
  return renderMail(
    {
      ...content,
      name,
      namesSongs: songs.some(({ spotifyUrl }) => spotifyUrl !== null),
      blocks: [
        ...content.blocks,
        ...(waits === null ? [] : [paragraph(waits)]),
        quietParagraph(onlyYouSeeRatings),
      ],
      why: `${whySongMails}${rhythmTexts[rhythm]}`,
    },
    frame,
  );
}

function aboutOne(rated: RatedSong, { appOrigin }: MailFrame) {
  const { songId, scores, hidden, title, result: its } = rated;
  const total = scores.length + hidden;
  const labels = scores.map(ratingLabel);
  const premium = hidden > 0 ? [lock(hidden, `${appOrigin}/subscribe`)] : [];
  if (its) {
    return {
      subject: `${allIn(rated)}: ${quoted(title)}`,
      preview: its.verdict,
      tone: toneOf(rated),
      lead: [song(rated), ...result(its, "lead")],
      blocks: [
        ...newest(rated, its),
        ...its.sentences.map((sentence) => paragraph(sentence)),
        ...premium,
        button("See what the ratings say", resultUrl(appOrigin, songId)),
      ],
    };
  }
  const [label] = scores;
  return {
    subject: subjectOf(rated, total),
    preview: labels.slice(0, 3).join(", "),
    tone: toneOf(rated),
    lead: [
      song(rated),
      ...(total === 1 && label ? [labelHeading(label)] : [heading(announced(total))]),
      ...(total > 1 ? labelList(scores, "lead") : []),
      received(rated, "lead"),
    ],
    blocks: [
      paragraph("Your song was heard and rated."),
      ...premium,
      button("See the ratings of this song", ratingsUrl(appOrigin, [songId])),
    ],
  };
}

/** What has come since the last mail, if that is not the whole. */
function newest({ scores }: RatedSong, its: MailResult): Block[] {
  if (scores.length === 0 || scores.length >= its.scores.length) return [];
  return [paragraph(`New since the last e-mail: ${scores.map(ratingLabel).join(", ")}.`)];
}

function aboutMany(songs: RatedSong[], { appOrigin }: MailFrame) {
  const total = songs.reduce((sum, { scores, hidden }) => sum + scores.length + hidden, 0);
  const hidden = songs.reduce((sum, one) => sum + one.hidden, 0);
  const unshown = songs.length - maxSongsShown;
  return {
    subject: `${announced(total)} for ${songs.length} of your songs`,
    preview: songs
      .flatMap(({ title }) => (title ? quoted(title) : []))
      .slice(0, 3)
      .join(", "),
    lead: [heading(announced(total))],
    cards: songs.slice(0, maxSongsShown).map((rated) => ({
      tone: toneOf(rated),
      blocks: [
        song(rated, "inList"),
        ...(rated.result ? result(rated.result, "inList") : labelList(rated.scores, "inList")),
        received(rated, "inList"),
      ],
    })),
    blocks: [
      ...(unshown > 0
        ? [quietParagraph(`And ${counted(unshown, "more song")} with new ratings.`)]
        : []),
      ...(hidden > 0 ? [lock(hidden, `${appOrigin}/subscribe`)] : []),
      button(
        "See the ratings of my songs",
        ratingsUrl(
          appOrigin,
          songs.map(({ songId }) => songId),
        ),
      ),
    ],
  };
}

function announced(n: number): string {
  return n === 1 ? "New rating" : `${n} new ratings`;
}

function subjectOf({ title, received, entitled }: RatedSong, total: number): string {
  return received > entitled
    ? `${announced(total)} for ${quoted(title)}`
    : `${announced(total)} (${received} of ${entitled}) for ${quoted(title)}`;
}

/** A song may have been submitted again before its first five were in. */
function allIn({ received, entitled }: RatedSong): string {
  return received < entitled
    ? "Five ratings are in"
    : `All ${inWords(entitled).toLowerCase()} ratings are in`;
}
