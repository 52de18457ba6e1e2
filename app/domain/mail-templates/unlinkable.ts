import type { MailSong } from "./mail";
import { oneLine } from "./wording";

/**
 * One character, or a mark with what has to follow it, of which no mail client makes a link: letters,
 * signs and digits, marks that stand in no address, a slash within a word ("AC/DC"), dots and colons
 * before a space or at the end ("J. S. Bach"), and what joins pictures to one.
 */
const harmless =
  /^(?:[\p{L}\p{M}\p{Nd}\p{So}\p{Sk}\p{Sc} '’‘"“”„«»,;!?¡¿()[\]&+\-–—_*~=|%·]|(?:\.+|:)(?=[ )]|$)|(?<=[\p{L}\p{Nd}])\/(?=[\p{L}\p{Nd}])|(?<=[\p{So}\p{Sk}\p{M}])\u200d(?=\p{So}))*$/u;

/** From this many digits on, phones make a telephone number of a text. */
const dialled = 6;

/**
 * A name or a title on one line for a mail to an address that nobody has confirmed; empty if any mail
 * client might make a link or an address of a part of it.
 *
 * A stranger may have entered that address, and chosen a name or a title that leads somewhere. Clients
 * turn much into links: not only what has a scheme, but domains, addresses and telephone numbers. Dots
 * cannot be broken up reliably: clients and browsers see through invisible characters and through the
 * dots of other scripts. So the list says what is harmless, in its compatibility form (NFKC), and
 * anything else leaves out the whole text.
 */
export function unlinkable(text: string): string {
  const line = oneLine(text);
  const plain = line.normalize("NFKC");
  const digits = plain.match(/\p{Nd}/gu) ?? [];
  return harmless.test(plain) && digits.length < dialled ? line : "";
}

/** A song whose title and artists are `unlinkable`. Mails then speak of "your song". */
export function unlinkableSong<Song extends MailSong>(song: Song): Song {
  const artists = unlinkable(song.artists.join(", "));
  return { ...song, title: unlinkable(song.title), artists: artists ? [artists] : [] };
}
