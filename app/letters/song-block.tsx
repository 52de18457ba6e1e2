import { accent, coverColour } from "~/covers/tones";
import { linkText, webUrl } from "./blocks";
import type { Block, MailSong } from "./mail";
import { font, Table, useTinted } from "./style";
import { oneLine } from "./wording";

const unnamedSong = "Your song";
const songLink = "Open on Spotify";
const coverSize = { lead: 96, inList: 64 };

/** The title is no link, because others choose it. */
export function song(about: MailSong, place: keyof typeof coverSize = "lead"): Block {
  const { title, artists, spotifyUrl } = about;
  const by = artists.join(", ");
  const href = webUrl(spotifyUrl);
  const lines = [oneLine(title) || unnamedSong, oneLine(by), href ? linkText(songLink, href) : ""];
  return {
    html: <Song song={about} size={coverSize[place]} />,
    text: lines.filter(Boolean).join("\n"),
  };
}

function Song({ song, size }: { song: MailSong; size: number }) {
  const { title, artists, spotifyUrl, tint, hasDrawnCover } = song;
  const tinted = useTinted();
  const [ink, soft] = [tinted("ink"), tinted("soft")];
  const by = artists.join(", ");
  const href = webUrl(spotifyUrl);
  const shrinks = size === coverSize.lead ? "cover" : undefined;
  return (
    <Table width="100%" margin="0 0 20px">
      {hasDrawnCover ? (
        <td className={shrinks} width={size} valign="top" style={{ padding: "0 16px 0 0" }}>
          <Table isHidden>
            <td
              className={shrinks}
              width={size}
              height={size}
              style={{
                backgroundColor: coverColour(tint),
                borderRadius: 4,
                fontSize: 0,
                lineHeight: 0,
              }}
            />
          </Table>
        </td>
      ) : null}
      <td
        className={ink.className}
        style={{ ...ink.style, ...font(16), lineHeight: 1.35, overflowWrap: "anywhere" }}
      >
        <span style={{ fontSize: size === coverSize.lead ? 22 : 19, fontWeight: 700 }}>
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
      </td>
    </Table>
  );
}
