import { Fragment } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { type Tone, toneOf } from "~/covers/tones";
import type { MailBody } from "~/outbox/mailer";
import { heading, linkText, paragraph, webUrl } from "./blocks";
import type { Block, MailContent, MailFrame } from "./mail";
import { song } from "./song-block";
import {
  darkCss,
  empty,
  font,
  narrowCss,
  outlookDarkCss,
  Table,
  Tinted,
  ToneContext,
  tinted,
  voice,
} from "./style";
import { MailTally } from "./tally";
import { greeting, oneLine } from "./wording";

/**
 * Neither version loads anything when it is opened, so opening cannot be tracked. `name`, which may be empty, is whom
 * the mail greets.
 */
export function renderMail(content: MailContent, name: string, frame: MailFrame): MailBody {
  const { about, title, tone = about ? toneOf(about) : "card" } = content;
  const lead = [
    ...(about ? [song(about)] : []),
    ...(title ? [heading(title)] : []),
    ...(content.lead ?? []),
  ];
  const blocks = content.blocks.map((one) => (typeof one === "string" ? paragraph(one) : one));
  const cards = (content.cards ?? []).map((card) => ({
    tone: toneOf(card.about),
    blocks: [song(card.about, "inList"), ...card.blocks],
    isOfMany: true,
  }));
  const hello = paragraph(...greeting(name));
  const foot = footer(content, frame);
  const rows: Row[] =
    cards.length === 0
      ? [{ tone, blocks: [...lead, hello, ...blocks] }]
      : [{ tone: "paper", blocks: [...lead, hello] }, ...cards, { tone: "paper", blocks }];
  const page = pageOf(content, rows, foot, frame.appOrigin);
  const parts = [
    // The words of a text begin with the greeting; a page begins with what it is about.
    ...[hello, ...lead].map(({ text }) => text),
    ...cards.flatMap((card) => ["-----", ...card.blocks.map(({ text }) => text)]),
    ...(cards.length > 0 ? ["-----"] : []),
    ...blocks.map(({ text }) => text),
  ];
  return {
    subject: oneLine(content.subject),
    html: `<!doctype html>${renderToStaticMarkup(page)}`,
    text: [...parts.filter(Boolean), "-----", foot.text, ""].join("\n\n"),
  };
}

/** Tables with inline styles, because mail clients agree on little else. */
function pageOf({ subject, preview }: MailContent, rows: Row[], foot: Block, appOrigin: string) {
  const ground = tinted("paper", "ground", "ink");
  const tones = [...new Set<Tone>(["paper", ...rows.map(({ tone }) => tone)])];
  return (
    <html lang="en" dir="ltr">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
        <title>{subject}</title>
        {/* These must not contain characters that React escapes. */}
        <style>{narrowCss}</style>
        <style>{darkCss(tones)}</style>
        <style>{outlookDarkCss(tones)}</style>
      </head>
      <body className={ground.className} style={{ ...ground.style, margin: 0, padding: 0 }}>
        <Preview text={preview} />
        <Table width="100%" tints={tinted("paper", "ground")}>
          <td className="page" align="center" style={{ padding: "16px 12px 48px" }}>
            {/* Outlook reads the width attribute, other clients the style. */}
            <table
              role="presentation"
              align="center"
              width={560}
              cellPadding={0}
              cellSpacing={0}
              border={0}
              style={{ width: "100%", maxWidth: 560, textAlign: "left" }}
            >
              <tbody>
                <tr>
                  <td className="brand" style={{ padding: "8px 32px 12px" }}>
                    <Brand appOrigin={appOrigin} />
                  </td>
                </tr>
                {rows.map((row, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a mail is rendered once
                  <Fragment key={place}>
                    {row.isOfMany && rows[place - 1]?.isOfMany ? (
                      <tr>
                        <td height={8} style={empty} />
                      </tr>
                    ) : null}
                    <CardRow {...row} />
                  </Fragment>
                ))}
                <tr>{foot.html}</tr>
              </tbody>
            </table>
          </td>
        </Table>
      </body>
    </html>
  );
}

/** An inbox shows it beside the subject. The blanks after it keep the mail's own text out of there. */
function Preview({ text }: { text: string }) {
  return (
    <div
      style={{
        display: "none",
        maxHeight: 0,
        overflow: "hidden",
        fontSize: 1,
        lineHeight: "1px",
        opacity: 0,
        ...{ msoHide: "all" },
      }}
    >
      {text}
      {" \u034f\u200c\u00a0".repeat(60)}
    </div>
  );
}

function Brand({ appOrigin }: { appOrigin: string }) {
  return (
    <Table>
      <td>
        <MailTally count={5} />
      </td>
      <td>
        <Tinted
          as="a"
          tint="ink"
          href={appOrigin}
          style={{ ...voice(20), lineHeight: 1, textDecoration: "none" }}
        >
          Fivefold
        </Tinted>
      </td>
    </Table>
  );
}

/** Long words and addresses. */
const broken = { overflowWrap: "anywhere", wordBreak: "break-word" } as const;

interface Row {
  tone: Tone;
  blocks: Block[];
  /** One of several songs. */
  isOfMany?: boolean;
}

function CardRow({ tone, blocks, isOfMany = false }: Row) {
  return (
    <tr>
      <ToneContext.Provider value={tone}>
        <Tinted
          tint={["ground", "ink"]}
          className={isOfMany ? "row" : "card"}
          style={{
            ...font(17),
            borderRadius: 8,
            padding: isOfMany ? "20px 32px 8px" : "32px 32px 24px",
            ...broken,
          }}
        >
          {blocks.map(({ html }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a mail is rendered once
            <Fragment key={index}>{html}</Fragment>
          ))}
        </Tinted>
      </ToneContext.Provider>
    </tr>
  );
}

function footer(
  { why, about, cards = [] }: MailContent,
  { appOrigin, unsubscribeUrl, contactEmail, ...frame }: MailFrame,
): Block {
  const links = [
    ...(unsubscribeUrl ? [{ label: "Unsubscribe from these e-mails", url: unsubscribeUrl }] : []),
    { label: "E-mail settings", url: `${appOrigin}/account` },
  ];
  const namesSongs = [about, ...cards.map((card) => card.about)].some(
    (one) => typeof one?.spotifyUrl === "string",
  );
  const operator = oneLine(frame.operator.trim().replace(/\s*\n\s*/g, ", "));
  const soft = tinted("paper", "soft");
  const link = { className: soft.className, style: { ...soft.style, textDecoration: "underline" } };
  const line = { margin: "0 0 10px" };
  const html = (
    <Tinted tint="soft" className="foot" style={{ padding: "24px 32px 0", ...font(14), ...broken }}>
      <p style={line}>{why}</p>
      <p style={line}>
        {links.map(({ label, url }, index) => (
          <span key={label}>
            {index > 0 ? " · " : null}
            <a href={webUrl(url)} {...link}>
              {label}
            </a>
          </span>
        ))}
      </p>
      {namesSongs ? (
        <p style={line}>
          Song info comes from{" "}
          <a href="https://open.spotify.com/" {...link}>
            Spotify
          </a>
          .
        </p>
      ) : null}
      <p style={{ margin: 0 }}>
        Fivefold · {operator} ·{" "}
        <a href={`mailto:${contactEmail}`} {...link}>
          {contactEmail}
        </a>
      </p>
    </Tinted>
  );
  const text = [
    why,
    ...links.map(({ label, url }) => linkText(label, url)),
    ...(namesSongs ? ["Song info comes from Spotify."] : []),
    ["Fivefold", operator, contactEmail].filter(Boolean).join("\n"),
  ].join("\n\n");
  return { html, text };
}
