import { linkText, webUrl } from "./links";
import type { Block, MailContent, MailFrame } from "./mail";
import { font, tinted } from "./palette";
import { oneLine } from "./wording";

/** The footer of a mail: why it came, how to end such mails, who runs the product. */
export function footer(
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
