import type { MailSong } from "./mail";
import { oneLine } from "./wording";

/**
 * Text that no mail client turns into a link: letters, signs and digits, marks that no address has, a slash
 * within a word ("AC/DC"), dots and colons before a space or at the end ("J. S. Bach"), and the joiner
 * within an emoji.
 */
const harmless =
  /^(?:[\p{L}\p{M}\p{Nd}\p{So}\p{Sk}\p{Sc} '’‘"“”„«»,;!?¡¿()[\]&+\-–—_*~=|%·]|(?:\.+|:)(?=[ )]|$)|(?<=[\p{L}\p{Nd}])\/(?=[\p{L}\p{Nd}])|(?<=[\p{So}\p{Sk}\p{M}])\u200d(?=\p{So}))*$/u;

/** Number of digits from which phones take a text for a telephone number. */
const dialled = 6;

/**
 * A name or a title on one line for a mail to an address that nobody has confirmed; empty if any mail
 * client might turn a part of it into a link.
 *
 * A stranger may have entered that address, and chosen a name or a title that leads somewhere. Clients turn
 * much into links: addresses with a scheme, domains, e-mail addresses and telephone numbers. Dots cannot be
 * broken up reliably: clients and browsers see through invisible characters and the dots of other scripts.
 * So only harmless text is kept, compared in its compatibility form (NFKC), and any other leaves out the
 * whole.
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
