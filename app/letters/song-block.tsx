import { accent, coverColour } from "~/covers/tones";
import { linkText, webUrl } from "./blocks";
import type { Block, MailSong } from "./mail";
import { empty, font, Table, Tinted } from "./style";
import { oneLine } from "./wording";

const unnamedSong = "Your song";
const songLink = "Open on Spotify";
const coverSize = { lead: 96, inList: 64 };

/** The title is no link, because others choose it. */
export function song(about: MailSong, place: keyof typeof coverSize = "lead"): Block {
  const { title, artists, spotifyUrl, tint, hasDrawnCover } = about;
  const by = artists.join(", ");
  const href = webUrl(spotifyUrl);
  const lines = [oneLine(title) || unnamedSong, oneLine(by), href ? linkText(songLink, href) : ""];
  const size = coverSize[place];
  const shrinks = place === "lead" ? "cover" : undefined;
  const html = (
    <Table width="100%" margin="0 0 20px">
      {hasDrawnCover ? (
        <td className={shrinks} width={size} valign="top" style={{ padding: "0 16px 0 0" }}>
          <Table isHidden>
            <td
              className={shrinks}
              width={size}
              height={size}
              style={{ backgroundColor: coverColour(tint), borderRadius: 4, ...empty }}
            />
          </Table>
        </td>
      ) : null}
      <Tinted tint="ink" style={{ ...font(16), lineHeight: 1.35, overflowWrap: "anywhere" }}>
        <span style={{ fontSize: place === "lead" ? 22 : 19, fontWeight: 700 }}>
          {title ? <bdi dir="auto">{title}</bdi> : unnamedSong}
        </span>
        {by ? (
          <>
            <br />
            <Tinted as="span" tint="soft">
              <bdi dir="auto">{by}</bdi>
            </Tinted>
          </>
        ) : null}
        {href ? (
          <>
            <br />
            <Tinted
              as="a"
              tint="soft"
              href={href}
              style={{ fontSize: 15, textDecoration: `underline ${accent}` }}
            >
              {songLink}
            </Tinted>
          </>
        ) : null}
      </Tinted>
    </Table>
  );
  return { html, text: lines.filter(Boolean).join("\n") };
}
