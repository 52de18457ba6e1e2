import { webUrl } from "./links";
import type { Block, MailSong, Run } from "./mail";
import { accent, font, onAccent, tinted } from "./palette";
import { Table } from "./table";
import { MailTally } from "./tally";

/** Beyond this many a tally is more to count than to see. */
const mostStrokes = 20;

/** One part of a mail in HTML. */
export function HtmlBlock({ block }: { block: Block }) {
  switch (block.kind) {
    case "heading":
      return <h1 style={headingStyle}>{block.text}</h1>;
    case "paragraph":
      return <Sentence runs={block.runs} quiet={block.quiet ?? false} />;
    case "labels":
      return <Labels {...block} />;
    case "song":
      return <Song song={block.song} />;
    case "tally":
      return <Tally {...block} />;
    case "button":
      return <Button {...block} />;
    case "lock":
      return <Lock {...block} />;
    case "address":
      return <Address {...block} />;
    case "divider":
      return <Divider />;
  }
}

const headingStyle = {
  margin: "0 0 16px",
  fontSize: 26,
  fontWeight: 700,
  lineHeight: 1.2,
  letterSpacing: "-0.02em",
};

/** A paragraph, in which people's own words keep their own writing direction. */
export function Sentence({ runs, quiet = false }: { runs: Run[]; quiet?: boolean }) {
  const soft = tinted("soft");
  const margin = "0 0 16px";
  return (
    <p
      className={quiet ? soft.className : undefined}
      style={quiet ? { ...soft.style, margin, fontSize: 15 } : { margin }}
    >
      {runs.map((run) =>
        typeof run === "string" ? (
          run
        ) : (
          <bdi key={run.own} dir="auto">
            {run.own}
          </bdi>
        ),
      )}
    </p>
  );
}

/** The ratings are what the mail is about: nothing in it is larger. One alone is its heading. */
function Labels({ labels, alone }: { labels: string[]; alone: boolean }) {
  const mark = { borderLeft: `4px solid ${accent}`, padding: "2px 0 2px 16px" };
  if (alone) {
    return (
      <h1 style={{ ...headingStyle, ...mark, margin: "8px 0 28px", fontSize: 34 }}>{labels}</h1>
    );
  }
  return (
    <ul style={{ ...mark, margin: "4px 0 24px", listStyle: "none" }}>
      {labels.map((label, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: equal ratings are told apart by place alone
          key={index}
          style={{ margin: 0, fontSize: 22, fontWeight: 700, lineHeight: 1.6 }}
        >
          {label}
        </li>
      ))}
    </ul>
  );
}

function Song({ song: { title, artists, spotifyUrl } }: { song: MailSong }) {
  const ink = tinted("ink");
  const soft = tinted("soft");
  const href = webUrl(spotifyUrl);
  const name = <bdi dir="auto">{title}</bdi>;
  return (
    <p style={{ margin: "0 0 16px", lineHeight: 1.4 }}>
      <span style={{ fontSize: 20, fontWeight: 600 }}>
        {href ? (
          <a
            href={href}
            className={ink.className}
            style={{ ...ink.style, textDecoration: `underline ${accent}` }}
          >
            {name}
          </a>
        ) : (
          name
        )}
      </span>
      <br />
      <span {...soft}>
        <bdi dir="auto">{artists.join(", ")}</bdi>
      </span>
    </p>
  );
}

function Tally({ made, of, text }: { made: number; of: number; text: string }) {
  const soft = tinted("soft");
  return (
    <Table margin="0 0 24px">
      {of <= mostStrokes ? (
        <td>
          <MailTally made={made} of={of} />
        </td>
      ) : null}
      <td className={soft.className} style={{ ...soft.style, ...font(15) }}>
        {text}
      </td>
    </Table>
  );
}

function Button({ label, url }: { label: string; url: string }) {
  const padding = "13px 26px";
  return (
    <Table margin="4px 0 24px">
      {/* Outlook pads the cell, the others the link, so that all of the button can be pressed. */}
      <td
        align="center"
        style={{ backgroundColor: accent, borderRadius: 8, ...{ msoPaddingAlt: padding } }}
      >
        <a
          href={webUrl(url) ?? undefined}
          style={{
            display: "block",
            padding,
            borderRadius: 8,
            backgroundColor: accent,
            color: onAccent,
            ...font(17),
            fontWeight: 700,
            lineHeight: 1.3,
            textDecoration: "none",
          }}
        >
          {label}
        </a>
      </td>
    </Table>
  );
}

function Lock({ strong, rest, label, url }: Extract<Block, { kind: "lock" }>) {
  const ground = tinted("ground", "ink");
  const ink = tinted("ink");
  return (
    <Table width="100%" margin="0 0 24px">
      <td
        className={ground.className}
        style={{ ...ground.style, borderRadius: 8, padding: "14px 18px", ...font(15) }}
      >
        <strong>{strong}</strong>
        <br />
        {rest}
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
}

function Address({ label, url }: { label: string; url: string }) {
  const soft = tinted("soft");
  const href = webUrl(url);
  return (
    <p className={soft.className} style={{ ...soft.style, margin: "0 0 16px", fontSize: 15 }}>
      {label}:
      <br />
      <a href={href ?? undefined} {...soft}>
        {href}
      </a>
    </p>
  );
}

function Divider() {
  const line = tinted("line");
  return (
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
}
