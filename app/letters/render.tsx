import { Fragment } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { MailBody } from "~/outbox/mailer";
import { linkText, paragraph, webUrl } from "./blocks";
import type { Block, MailContent, MailFrame } from "./mail";
import { darkCss, font, narrowCss, outlookDarkCss, Table, tinted } from "./style";
import { MailTally } from "./tally";
import { greeting, oneLine } from "./wording";

/** Neither version loads anything when it is opened (no images, fonts or scripts), so opening cannot be tracked. */
export function renderMail(content: MailContent, frame: MailFrame): MailBody {
  const blocks = [paragraph(...greeting(content.name)), ...content.blocks];
  const foot = footer(content, frame);
  const page = (
    <MailDocument
      subject={content.subject}
      preview={content.preview}
      blocks={blocks}
      footer={foot.html}
      appOrigin={frame.appOrigin}
    />
  );
  return {
    subject: oneLine(content.subject),
    html: `<!doctype html>${renderToStaticMarkup(page)}`,
    text: [...blocks.map(({ text }) => text).filter(Boolean), "-----", foot.text, ""].join("\n\n"),
  };
}

/** Tables with inline styles, because mail clients agree on little else. */
function MailDocument({
  subject,
  preview,
  blocks,
  footer,
  appOrigin,
}: {
  subject: string;
  preview: string;
  blocks: Block[];
  footer: JSX.Element;
  appOrigin: string;
}) {
  const ground = tinted("ground", "ink");
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
        <style>{darkCss}</style>
        <style>{outlookDarkCss}</style>
      </head>
      <body className={ground.className} style={{ ...ground.style, margin: 0, padding: 0 }}>
        <Preview text={preview} />
        <Table width="100%" tints={tinted("ground")}>
          <td className="page" align="center" style={{ padding: "24px 12px 48px" }}>
            {/* Outlook reads the width attribute, other clients the style. */}
            <table
              role="presentation"
              align="center"
              width={600}
              cellPadding={0}
              cellSpacing={0}
              border={0}
              style={{ width: "100%", maxWidth: 600, textAlign: "left" }}
            >
              <tbody>
                <tr>
                  <td style={{ padding: "0 12px 16px" }}>
                    <Brand appOrigin={appOrigin} />
                  </td>
                </tr>
                <tr>
                  <Card blocks={blocks} />
                </tr>
                <tr>{footer}</tr>
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
  const ink = tinted("ink");
  return (
    <Table>
      <td>
        <MailTally count={5} />
      </td>
      <td>
        <a
          href={appOrigin}
          className={ink.className}
          style={{
            ...ink.style,
            ...font(19),
            fontWeight: 700,
            letterSpacing: "-0.02em",
            textDecoration: "none",
          }}
        >
          Fivefold
        </a>
      </td>
    </Table>
  );
}

function Card({ blocks }: { blocks: Block[] }) {
  const tints = tinted("surface", "line", "ink");
  return (
    <td
      className={`card ${tints.className}`}
      style={{
        borderWidth: 1,
        borderStyle: "solid",
        ...tints.style,
        ...font(17),
        borderRadius: 8,
        padding: "32px 36px 16px",
        overflowWrap: "anywhere",
        wordBreak: "break-word",
      }}
    >
      {blocks.map(({ html }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a mail is rendered once
        <Fragment key={index}>{html}</Fragment>
      ))}
    </td>
  );
}

function footer(
  { why, namesSongs }: Pick<MailContent, "why" | "namesSongs">,
  { appOrigin, unsubscribeUrl, contactEmail, ...frame }: MailFrame,
): Block {
  const links = [
    ...(unsubscribeUrl ? [{ label: "Unsubscribe from these e-mails", url: unsubscribeUrl }] : []),
    { label: "E-mail settings", url: `${appOrigin}/account` },
  ];
  const operator = oneLine(frame.operator.trim().replace(/\s*\n\s*/g, ", "));
  const soft = tinted("soft");
  const link = { className: soft.className, style: { ...soft.style, textDecoration: "underline" } };
  const line = { margin: "0 0 10px" };
  const html = (
    <td
      className={`foot ${soft.className}`}
      style={{
        ...soft.style,
        padding: "24px 36px 0",
        ...font(14),
        overflowWrap: "anywhere",
        wordBreak: "break-word",
      }}
    >
      <p style={line}>{why}</p>
      <p style={line}>
        {links.map(({ label, url }, index) => (
          <span key={label}>
            {index > 0 ? " · " : null}
            <a href={webUrl(url) ?? undefined} {...link}>
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
    </td>
  );
  const text = [
    why,
    ...links.map(({ label, url }) => linkText(label, url)),
    ...(namesSongs ? ["Song info comes from Spotify."] : []),
    ["Fivefold", operator, contactEmail].filter(Boolean).join("\n"),
  ].join("\n\n");
  return { html, text };
}
