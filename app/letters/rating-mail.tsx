import type { Score } from "~/exchange/rating/scale";
import type { RatingMailRhythm } from "~/members/rating-mail-rhythm";
import { tierConfigs } from "~/members/tiers";
import type { MailBody } from "~/outbox/mailer";
import { counted } from "~/platform/text";
import { isLiked, opinionWords } from "~/results/opinions";
import {
  button,
  heading,
  headingStyle,
  linkText,
  paragraph,
  quietParagraph,
  ratingsUrl,
  resultUrl,
  song,
  webUrl,
} from "./blocks";
import type { Block, MailFrame, MailSong } from "./mail";
import { renderMail } from "./render";
import { accent, font, Table, tinted } from "./style";
import { MailTally } from "./tally";
import { onlyYouSeeRatings, quoted, whySongMails } from "./wording";

export interface RatedSong extends MailSong {
  songId: string;
  /** Of the new ratings that the owner may see, newest first. */
  labels: string[];
  /** Further new ratings, which only Premium shows. */
  hidden: number;
  /** Includes the new ratings, and may exceed `entitled`. */
  received: number;
  entitled: number;
  /** Present if one of the new ratings is the fifth of a submission. */
  result?: MailResult;
}

const maxSongsShown = 10;

const rhythmTexts: Record<RatingMailRhythm, string> = {
  each: "",
  daily: " You chose to get new ratings once a day.",
  weekly: " You chose to get new ratings once a week.",
};

/** Tells an owner of new ratings, but not who gave them. Ratings that a free user may not see are only counted. */
export function ratingMail(
  name: string,
  songs: RatedSong[],
  { rhythm = "each", ...frame }: MailFrame & { rhythm?: RatingMailRhythm },
): MailBody {
  const [first] = songs;
  const single = songs.length === 1 && first ? first : null;
  const total = songs.reduce((sum, { labels, hidden }) => sum + labels.length + hidden, 0);
  const hidden = songs.reduce((sum, one) => sum + one.hidden, 0);
  const songIds = songs.map(({ songId }) => songId);
  return renderMail(
    {
      subject: single
        ? subjectOf(single, total)
        : `${announced(total)} for ${songs.length} of your songs`,
      preview: (single ? single.labels : songs.flatMap(({ title }) => (title ? quoted(title) : [])))
        .slice(0, 3)
        .join(", "),
      name,
      namesSongs: songs.some(({ spotifyUrl }) => spotifyUrl !== null),
      blocks: [
        ...(total > 1 ? [heading(announced(total))] : []),
        ...(single ? aboutOne(single) : aboutEach(songs)),
        ...(hidden > 0 ? [lock(hidden, `${frame.appOrigin}/subscribe`)] : []),
        single?.result
          ? button("See what the ratings say", resultUrl(frame.appOrigin, single.songId))
          : button(
              single ? "See the ratings of this song" : "See the ratings of my songs",
              ratingsUrl(frame.appOrigin, songIds),
            ),
        quietParagraph(onlyYouSeeRatings),
      ],
      why: `${whySongMails}${rhythmTexts[rhythm]}`,
    },
    frame,
  );
}

function announced(n: number): string {
  return n === 1 ? "New rating" : `${n} new ratings`;
}

function subjectOf({ title, received, entitled }: RatedSong, total: number): string {
  return received > entitled
    ? `${announced(total)} for ${quoted(title)}`
    : `${announced(total)} (${received} of ${entitled}) for ${quoted(title)}`;
}

function aboutOne(rated: RatedSong): Block[] {
  return [
    paragraph("Your song was heard and rated:"),
    ...newLabels(rated, rated.labels.length === 1),
    song(rated),
    tally(rated, "alone"),
    ...(rated.result ? [result(rated.result)] : []),
  ];
}

function aboutEach(songs: RatedSong[]): Block[] {
  const unshown = songs.length - maxSongsShown;
  return [
    paragraph("Your songs were heard and rated:"),
    ...songs
      .slice(0, maxSongsShown)
      .flatMap((rated) => [
        song(rated),
        ...newLabels(rated, false),
        ...(rated.hidden > 0 ? [quietParagraph(hiddenText(rated))] : []),
        tally(rated, "inList"),
        ...(rated.result ? [result(rated.result)] : []),
        divider(),
      ]),
    ...(unshown > 0
      ? [quietParagraph(`And ${counted(unshown, "more song")} with new ratings.`)]
      : []),
  ];
}

function hiddenText({ labels, hidden }: RatedSong): string {
  return labels.length > 0
    ? `And ${hidden} more, which only Premium shows.`
    : `${counted(hidden, "new rating")}, which only Premium shows.`;
}

/** Names each label once, so that hundreds of ratings make four lines. */
function newLabels({ labels }: RatedSong, isHeading: boolean): Block[] {
  if (labels.length === 0) return [];
  const counts = Map.groupBy(labels, (label) => label);
  const lines = [...counts].map(([label, { length }]) =>
    length > 1 ? `${label} × ${length}` : label,
  );
  return [labelList(lines, isHeading)];
}

/** More are hard to read at a glance. In a list they would also make the mail so large that clients cut it off. */
const maxStrokes = { alone: 20, inList: 5 };

/** The mail's subject matter, so nothing in it is larger. A single label can be its heading. */
function labelList(labels: string[], isHeading: boolean): Block {
  const mark = { borderLeft: `4px solid ${accent}`, padding: "2px 0 2px 16px" };
  const html = isHeading ? (
    <h1 style={{ ...headingStyle, ...mark, margin: "8px 0 28px", fontSize: 34 }}>{labels}</h1>
  ) : (
    <ul style={{ ...mark, margin: "4px 0 24px", listStyle: "none" }}>
      {labels.map((label, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: equal ratings differ by their place alone
          key={index}
          style={{ margin: 0, fontSize: 22, fontWeight: 700, lineHeight: 1.6 }}
        >
          {label}
        </li>
      ))}
    </ul>
  );
  return { html, text: labels.map((label) => `  * ${label}`).join("\n") };
}

function tally(
  { received, entitled }: { received: number; entitled: number },
  place: keyof typeof maxStrokes,
): Block {
  const text =
    received > entitled
      ? `${counted(received, "rating")} received`
      : `${received} of ${counted(entitled, "rating")} received`;
  const soft = tinted("soft");
  const html = (
    <Table margin="0 0 24px">
      {received <= maxStrokes[place] ? (
        <td>
          <MailTally count={received} />
        </td>
      ) : null}
      <td className={soft.className} style={{ ...soft.style, ...font(15) }}>
        {text}
      </td>
    </Table>
  );
  return { html, text };
}

function lock(hidden: number, premiumUrl: string): Block {
  const { free } = tierConfigs;
  const title = `You have ${counted(hidden, "more rating")}`;
  const explanation = `Only premium users can see all ratings. ${free.name} shows the ${counted(free.maxVisibleRatings, "most recent rating")} of each song.`;
  const label = "Upgrade to Premium";
  const ground = tinted("ground", "ink");
  const ink = tinted("ink");
  const html = (
    <Table width="100%" margin="0 0 24px">
      <td
        className={ground.className}
        style={{ ...ground.style, borderRadius: 8, padding: "14px 18px", ...font(15) }}
      >
        <strong>{title}</strong>
        <br />
        {explanation}
        <br />
        <a
          href={webUrl(premiumUrl) ?? undefined}
          className={ink.className}
          style={{ ...ink.style, textDecoration: `underline ${accent}` }}
        >
          {label}
        </a>
      </td>
    </Table>
  );
  return { html, text: `${title}\n${explanation}\n\n${linkText(label, premiumUrl)}` };
}

function divider(): Block {
  const line = tinted("line");
  const html = (
    <div
      className={line.className}
      style={{
        borderTopWidth: 1,
        borderTopStyle: "solid",
        ...line.style,
        margin: "4px 0 24px",
        fontSize: 0,
        lineHeight: 0,
      }}
    />
  );
  return { html, text: "-----" };
}

/** A song's result (rule 29), from the ratings that its owner may see. */
export interface MailResult {
  /** In no order of arrival. */
  scores: Score[];
  /** e.g. "3 of 5 liked it." */
  sentences: string[];
}

/** A dot for each label, as letters: mails have no pictures. */
const dots: Record<Score, string> = { 1: "○", 2: "◐", 3: "●", 4: "⊕" };

/** One dot for each rating, from worst to best. */
function result({ scores, sentences }: MailResult): Block {
  const sorted = scores.toSorted((a, b) => a - b);
  const words = opinionWords(scores);
  const [verdict = "", ...others] = sentences;
  const soft = tinted("soft");
  const html = (
    <>
      <p style={{ margin: "0 0 4px", fontSize: 20, fontWeight: 700 }}>{verdict}</p>
      <p
        aria-hidden="true"
        style={{ margin: "0 0 4px", fontSize: 28, lineHeight: 1.3, letterSpacing: 4 }}
      >
        <span {...soft}>{glyphs(sorted.filter((score) => !isLiked(score)))}</span>
        {glyphs(sorted.filter(isLiked))}
      </p>
      <p className={soft.className} style={{ ...soft.style, margin: "0 0 16px", fontSize: 15 }}>
        {words}
      </p>
      {others.map((sentence) => (
        <p key={sentence} style={{ margin: "0 0 16px" }}>
          {sentence}
        </p>
      ))}
    </>
  );
  return { html, text: [verdict, glyphs(sorted), words, ...others].join("\n") };
}

function glyphs(scores: Score[]): string {
  return scores.map((score) => dots[score]).join("");
}
