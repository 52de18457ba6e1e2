/** The blocks that only the mail about new ratings has. */
import { tierConfigs } from "~/members/tiers";
import { counted } from "~/platform/text";
import { headingStyle } from "./blocks";
import { linkText, webUrl } from "./links";
import type { Block } from "./mail";
import { accent, font, tinted } from "./palette";
import { Table } from "./table";
import { MailTally } from "./tally";

/**
 * A tally of more strokes than this is hard to read at a glance. In a list of songs it would also make
 * the mail so large that clients cut it off.
 */
const maxStrokes = { alone: 20, inList: 5 };

/**
 * Ratings, newest first. They are the mail's subject, so nothing in it is larger.
 * @param isHeading the one rating is the heading of the mail.
 */
export function labelList(labels: string[], isHeading: boolean): Block {
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

/** The count of the promised ratings that have come in, in strokes and in words. */
export function tally(
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

/**
 * The number of ratings that only Premium shows, with a link to it.
 * @param url the page about Premium.
 */
export function lock(hidden: number, url: string): Block {
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
          href={webUrl(url) ?? undefined}
          className={ink.className}
          style={{ ...ink.style, textDecoration: `underline ${accent}` }}
        >
          {label}
        </a>
      </td>
    </Table>
  );
  return { html, text: `${title}\n${explanation}\n\n${linkText(label, url)}` };
}

export function divider(): Block {
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
