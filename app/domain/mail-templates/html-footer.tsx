import { webUrl } from "./links";
import type { MailFooter } from "./mail";
import { font, tinted } from "./palette";

/** The cell below a mail: why it came, how to end such mails, whose it is. */
export function Footer({ footer }: { footer: MailFooter }) {
  const { why, credit, links, operator, contactEmail } = footer;
  const soft = tinted("soft");
  const link = { className: soft.className, style: { ...soft.style, textDecoration: "underline" } };
  const line = { margin: "0 0 10px" };
  return (
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
      {credit ? (
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
}
