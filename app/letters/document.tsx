import { Fragment } from "react";
import type { Block } from "./mail";
import { darkCss, font, narrowCss, outlookDarkCss, tinted } from "./palette";
import { Table } from "./table";
import { MailTally } from "./tally";

/**
 * A mail as an HTML document: tables with inline styles, which mail clients agree on. React escapes
 * everything in it.
 */
export function MailDocument({
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
              style={{
                width: "100%",
                maxWidth: 600,
                textAlign: "left",
              }}
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

/** The text that an inbox shows beside the subject. Blanks after it keep the mail's own text out of there. */
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
