import type { ReactNode } from "react";
import type { Block, MailSong, Run } from "./mail";
import { accent, font, onAccent, Table, tinted } from "./style";
import { oneLine } from "./wording";

export const headingStyle = {
  margin: "0 0 16px",
  fontSize: 26,
  fontWeight: 700,
  lineHeight: 1.2,
  letterSpacing: "-0.02em",
};

export function heading(text: string): Block {
  return { html: <h1 style={headingStyle}>{text}</h1>, text };
}

export function paragraph(...runs: Run[]): Block {
  const html = (
    <p style={{ margin: "0 0 16px" }}>
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
  const text = runs.map((run) => (typeof run === "string" ? run : oneLine(run.own))).join("");
  return { html, text };
}

export function quietParagraph(text: string): Block {
  return { html: <QuietParagraph>{text}</QuietParagraph>, text };
}

function QuietParagraph({ children }: { children: ReactNode }) {
  const soft = tinted("soft");
  return (
    <p className={soft.className} style={{ ...soft.style, margin: "0 0 16px", fontSize: 15 }}>
      {children}
    </p>
  );
}

/** In case a button does not work. The text has no buttons, so there this block is empty. */
export function copyableLink(label: string, url: string): Block {
  const href = webUrl(url);
  const html = (
    <QuietParagraph>
      {label}:
      <br />
      <a href={href ?? undefined} {...tinted("soft")}>
        {href}
      </a>
    </QuietParagraph>
  );
  return { html, text: "" };
}

/** A link that shows where it leads. */
export function plainLink(label: string, url: string): Block {
  const href = webUrl(url);
  const html = (
    <p style={{ margin: "0 0 16px" }}>
      {label}:
      <br />
      <a href={href ?? undefined} {...tinted("ink")}>
        {href}
      </a>
    </p>
  );
  return { html, text: linkText(label, url) };
}

/** The title is no link, because others choose it. */
export function song({ title, artists, spotifyUrl }: MailSong): Block {
  const soft = tinted("soft");
  const href = webUrl(spotifyUrl);
  const by = artists.join(", ");
  const html = (
    <p style={{ margin: "0 0 16px", lineHeight: 1.4 }}>
      <span style={{ fontSize: 20, fontWeight: 600 }}>
        {title ? <bdi dir="auto">{title}</bdi> : unnamedSong}
      </span>
      {by ? (
        <>
          <br />
          <span {...soft}>
            <bdi dir="auto">{by}</bdi>
          </span>
        </>
      ) : null}
      {href ? (
        <>
          <br />
          <a
            href={href}
            className={soft.className}
            style={{ ...soft.style, fontSize: 15, textDecoration: `underline ${accent}` }}
          >
            {songLink}
          </a>
        </>
      ) : null}
    </p>
  );
  const lines = [oneLine(title) || unnamedSong, oneLine(by), href ? linkText(songLink, href) : ""];
  return { html, text: lines.filter(Boolean).join("\n") };
}

const unnamedSong = "Your song";
const songLink = "Open on Spotify";

export function button(label: string, url: string): Block {
  const padding = "13px 26px";
  const html = (
    <Table margin="4px 0 24px">
      {/* Outlook pads the cell, other clients the link, so that the whole button can be pressed. */}
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
  return { html, text: linkText(label, url) };
}

/** A web address in its normal form; null for anything that a mail must not link to. */
export function webUrl(value: string | null): string | null {
  if (value === null || !URL.canParse(value)) return null;
  const url = new URL(value);
  return url.protocol === "https:" || url.protocol === "http:" ? url.href : null;
}

/** In a text mail, an address has a line of its own. */
export function linkText(label: string, url: string): string {
  return `${label}:\n${webUrl(url) ?? ""}`;
}

/** The ratings page, opened at the song if there is only one. */
export function ratingsUrl(appOrigin: string, songIds: string[]): string {
  const page = `${appOrigin}/ratings-of-my-songs`;
  const [id] = songIds.map(encodeURIComponent);
  return songIds.length === 1 ? `${page}?song=${id}#song-${id}` : page;
}

export function resultUrl(appOrigin: string, songId: string): string {
  return `${appOrigin}/ratings-of-my-songs/${encodeURIComponent(songId)}`;
}
