import type { ReactNode } from "react";
import type { Block, Run } from "./mail";
import { Table, Tinted, voice } from "./style";
import { oneLine } from "./wording";

/** The mail's largest words. "display" is for what fits into three or four of them. */
export function heading(text: string, size: "heading" | "display" = "heading"): Block {
  const html = (
    <h1
      className={size === "display" ? "display" : undefined}
      style={{ margin: "8px 0 20px", ...voice(size === "display" ? 52 : 32) }}
    >
      {text}
    </h1>
  );
  return { html, text };
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

export function quietParagraph(text: string, html: ReactNode = text): Block {
  const paragraph = (
    <Tinted as="p" tint="soft" style={{ margin: "0 0 16px", fontSize: 15 }}>
      {html}
    </Tinted>
  );
  return { html: paragraph, text };
}

/** In case a button does not work. The text has no buttons, so there this block is empty. */
export function copyableLink(url: string): Block {
  const html = (
    <>
      If the button does not work, open this address:
      <br />
      <BareLink url={url} tint="soft" />
    </>
  );
  return quietParagraph("", html);
}

/** A link that shows where it leads. */
export function plainLink(label: string, url: string): Block {
  const html = (
    <p style={{ margin: "0 0 16px" }}>
      {label}:
      <br />
      <BareLink url={url} tint="ink" />
    </p>
  );
  return { html, text: linkText(label, url) };
}

function BareLink({ url, tint }: { url: string; tint: "ink" | "soft" }) {
  const href = webUrl(url);
  return (
    <Tinted as="a" tint={tint} href={href}>
      {href}
    </Tinted>
  );
}

export function button(label: string, url: string): Block {
  const padding = "15px 28px";
  const html = (
    <Table margin="8px 0 24px">
      {/* Outlook pads the cell, other clients the link, so that the whole button can be pressed. */}
      <Tinted
        tint="button"
        align="center"
        style={{ borderRadius: 99, ...{ msoPaddingAlt: padding } }}
      >
        <Tinted
          as="a"
          tint="label"
          href={webUrl(url)}
          style={{
            display: "block",
            padding,
            ...voice(17),
            lineHeight: 1.2,
            textDecoration: "none",
          }}
        >
          {label}
        </Tinted>
      </Tinted>
    </Table>
  );
  return { html, text: linkText(label, url) };
}

/** A web address in its normal form; undefined for anything that a mail must not link to. */
export function webUrl(value: string | null): string | undefined {
  if (value === null || !URL.canParse(value)) return undefined;
  const { protocol, href } = new URL(value);
  return ["https:", "http:"].includes(protocol) ? href : undefined;
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
