import { accent } from "~/covers/tones";
import { ratingLabel, type Score } from "~/exchange/rating/scale";
import { tierConfigs } from "~/members/tiers";
import { counted } from "~/platform/text";
import { opinionWords } from "~/results/opinions";
import { linkText, quietParagraph, webUrl } from "./blocks";
import type { Block } from "./mail";
import { MailMark, MailMarks, maxMarks } from "./marks";
import type { MailResult, RatedSong } from "./rated-song";
import { font, Rows, Table, Tinted, voice } from "./style";
import { MailTally } from "./tally";

type Place = "lead" | "inList";

/** A single new rating: its mark, and its label as the mail's heading. */
export function labelHeading(score: Score): Block {
  const label = ratingLabel(score);
  const html = (
    <Table margin="12px 0 20px">
      <td style={{ padding: "0 14px 0 0" }}>
        <MailMark score={score} size={44} />
      </td>
      <td>
        <h1 style={{ margin: 0, ...voice(34) }}>{label}</h1>
      </td>
    </Table>
  );
  return { html, text: `  * ${label}` };
}

/** Names each label once, so that hundreds of ratings make four lines. */
export function labelList(scores: Score[], place: Place): Block[] {
  if (scores.length === 0) return [];
  const counts = [...Map.groupBy(scores, (score) => score)].map(([score, { length }]) => ({
    score,
    text: length > 1 ? `${ratingLabel(score)} × ${length}` : ratingLabel(score),
  }));
  const size = place === "lead" ? 28 : 22;
  const html = (
    <Rows margin="0 0 16px">
      {counts.map(({ score, text }) => (
        <tr key={score}>
          <td width={size} style={{ padding: "0 12px 8px 0" }}>
            <MailMark score={score} size={size} />
          </td>
          <Tinted
            tint="ink"
            style={{ ...voice(place === "lead" ? 20 : 17), lineHeight: 1.2, padding: "0 0 8px" }}
          >
            {text}
          </Tinted>
        </tr>
      ))}
    </Rows>
  );
  return [{ html, text: counts.map(({ text }) => `  * ${text}`).join("\n") }];
}

/** How many of a song's ratings are there. In a list a tally would make the mail so large that clients cut it off. */
export function received(rated: RatedSong, place: Place): Block {
  const { received: count, entitled, scores, hidden } = rated;
  const text =
    count > entitled
      ? `${counted(count, "rating")} received`
      : `${count} of ${counted(entitled, "rating")} received`;
  if (place === "lead") {
    const html = (
      <Table margin="0 0 24px">
        {Math.max(count, entitled) <= maxMarks ? (
          <td>
            <MailTally count={count} of={entitled} />
          </td>
        ) : null}
        <Tinted tint="soft" style={font(15)}>
          {text}
        </Tinted>
      </Table>
    );
    return { html, text };
  }
  const more =
    scores.length > 0
      ? `. And ${hidden} more, which only Premium shows.`
      : `. ${counted(hidden, "new rating")}, which only Premium shows.`;
  return quietParagraph(hidden > 0 ? text + more : text);
}

/** The marks of ratings to come. */
export function awaitedMarks(count: number): Block {
  return { html: <MailMarks scores={[]} awaited={count} size={40} />, text: "" };
}

/** A result's verdict, its marks and how often each label was given. */
export function result(its: MailResult, place: Place): Block {
  const { scores, hidden, verdict } = its;
  const words = opinionWords(scores);
  // "All five are in." is the verdict where the rest of it says how many are shown.
  const [first = "", ...others] = verdict.split(/(?<=\.) /);
  const marks = scores.length + hidden;
  const said = [words, ...others].join(words.endsWith("!") ? " " : ". ");
  const html = (
    <>
      {place === "lead" ? (
        <h1 className="display" style={{ margin: "12px 0 24px", ...voice(52), lineHeight: 1 }}>
          {first}
        </h1>
      ) : (
        <p style={{ margin: "0 0 12px", ...voice(26) }}>{first}</p>
      )}
      {marks <= (place === "lead" ? maxMarks : 5) ? (
        <MailMarks scores={scores} hidden={hidden} size={place === "lead" ? 40 : 26} />
      ) : null}
      <Tinted as="p" tint="soft" style={{ margin: "8px 0 20px", fontSize: 16 }}>
        {said}
      </Tinted>
    </>
  );
  return { html, text: [first, said].join("\n") };
}

export function lock(hidden: number, premiumUrl: string): Block {
  const { free } = tierConfigs;
  const title = `You have ${counted(hidden, "more rating")}`;
  const explanation = `Only premium users can see all ratings. ${free.name} shows the ${counted(free.maxVisibleRatings, "most recent rating")} of each song.`;
  const label = "Upgrade to Premium";
  const html = (
    <Table width="100%" margin="0 0 24px">
      <Tinted
        tint={["rule", "ink"]}
        style={{ borderStyle: "solid", borderWidth: "1px 0", padding: "14px 0", ...font(15) }}
      >
        <strong>{title}</strong>
        <br />
        {explanation}
        <br />
        <Tinted
          as="a"
          tint="ink"
          href={webUrl(premiumUrl)}
          style={{ textDecoration: `underline ${accent}` }}
        >
          {label}
        </Tinted>
      </Tinted>
    </Table>
  );
  return { html, text: `${title}\n${explanation}\n\n${linkText(label, premiumUrl)}` };
}
