import { ratingLabel } from "~/exchange/rating/scale";
import type { RatingMailRhythm } from "~/mailing/email-preferences";
import { counted, inWords } from "~/platform/text";
import { waitingText } from "~/results/sentences";
import { button, heading, quietParagraph, ratingsUrl, resultUrl } from "./blocks";
import type { MailContent, MailFrame } from "./mail";
import type { MailResult, RatedSong } from "./rated-song";
import { labelHeading, labelList, lock, received, result } from "./rating-blocks";
import { onlyYouSeeRatings, quoted, whySongMails } from "./wording";

const maxSongsShown = 10;

const rhythmTexts: Record<RatingMailRhythm, string> = {
  each: "",
  complete: " You chose to get them once all five ratings of a song are in.",
};

/** Tells an owner of new ratings, but not who gave them. Ratings that a free user may not see are only counted. */
export function ratingMail(
  songs: RatedSong[],
  {
    appOrigin,
    rhythm = "each",
    waiting = 0,
  }: MailFrame & { rhythm?: RatingMailRhythm; waiting?: number },
): MailContent {
  const waits = waitingText(waiting);
  const [first] = songs;
  const content =
    songs.length === 1 && first ? aboutOne(first, appOrigin) : aboutMany(songs, appOrigin);
  return {
    ...content,
    blocks: [
      ...content.blocks,
      ...(waits === null ? [] : [waits]),
      quietParagraph(onlyYouSeeRatings),
    ],
    why: `${whySongMails}${rhythmTexts[rhythm]}`,
  };
}

function aboutOne(rated: RatedSong, appOrigin: string): Omit<MailContent, "why"> {
  const { songId, scores, hidden, title, result: its } = rated;
  const total = scores.length + hidden;
  const premium = hidden > 0 ? [lock(hidden, `${appOrigin}/subscribe`)] : [];
  if (its) {
    return {
      subject: `${allIn(rated)}: ${quoted(title)}`,
      preview: its.verdict,
      about: rated,
      lead: [result(its, "lead")],
      blocks: [
        ...newest(rated, its),
        ...its.sentences,
        ...premium,
        button("See what the ratings say", resultUrl(appOrigin, songId)),
      ],
    };
  }
  const [label] = scores;
  return {
    subject: subjectOf(rated, total),
    preview: scores.map(ratingLabel).slice(0, 3).join(", "),
    about: rated,
    lead: [
      total === 1 && label ? labelHeading(label) : heading(announced(total)),
      ...(total > 1 ? labelList(scores, "lead") : []),
      received(rated, "lead"),
    ],
    blocks: [
      "Your song was heard and rated.",
      ...premium,
      button("See the ratings of this song", ratingsUrl(appOrigin, [songId])),
    ],
  };
}

/** What has come since the last mail, if that is not the whole. */
function newest({ scores }: RatedSong, its: MailResult): string[] {
  if (scores.length === 0 || scores.length >= its.scores.length) return [];
  return [`New since the last e-mail: ${scores.map(ratingLabel).join(", ")}.`];
}

function aboutMany(songs: RatedSong[], appOrigin: string): Omit<MailContent, "why"> {
  const total = songs.reduce((sum, { scores, hidden }) => sum + scores.length + hidden, 0);
  const hidden = songs.reduce((sum, one) => sum + one.hidden, 0);
  const unshown = songs.length - maxSongsShown;
  return {
    subject: `${announced(total)} for ${songs.length} of your songs`,
    preview: songs
      .flatMap(({ title }) => (title ? quoted(title) : []))
      .slice(0, 3)
      .join(", "),
    title: announced(total),
    cards: songs.slice(0, maxSongsShown).map((rated) => ({
      about: rated,
      blocks: [
        ...(rated.result ? [result(rated.result, "inList")] : labelList(rated.scores, "inList")),
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
