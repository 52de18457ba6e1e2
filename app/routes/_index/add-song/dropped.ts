import { fittingName } from "~/sources/files/upload-fields";

/** What a song is called by its file, without what programs and people add to that. */
export function proposeTitle(fileName: string): string {
  const name = fileName.replace(/\.(mp3|m4[abp]|mp4|wave?)$/i, "").normalize();
  const spaced = name
    .replace(/_+|-(?=\d)/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  const named = spaced.replace(/ \(\d\)$/, "").replace(/( [([]?final\b[ v\d]*[)\]]?)+$/i, "");
  return fittingName(named || name);
}

/** Macs write a hidden file beside each. */
export function songsAmong(files: File[]): File[] {
  const seen = files.filter(({ name }) => !name.startsWith("."));
  return (seen.length > 0 ? seen : files).filter((file) => !isPicture(file));
}

/**
 * Puts files that were dropped on the page into the form's fields: of several the first song, and the first picture as
 * the cover. What is neither goes for the song, so that what is wrong with it is said.
 * @returns what is to be said if nothing is wrong.
 */
export function takeDropped(form: HTMLFormElement, files: File[]): string {
  const pictures = files.filter(isPicture);
  const songs = songsAmong(files);
  const song = songs.find(isSong) ?? songs[0];
  put(form, "cover", pictures[0]);
  put(form, "file", song);
  return songs.length > 1 ? "One song goes at a time." : "";
}

function isPicture({ type, name }: File): boolean {
  return (
    type.startsWith("image/") || /\.(jpe?g|png|webp|hei[cf]|avif|gif|tiff?|bmp|svg)$/i.test(name)
  );
}

function isSong({ type, name }: File): boolean {
  return type.startsWith("audio/") || /\.(mp3|m4a|wav)$/i.test(name);
}

function put(form: HTMLFormElement, name: string, file: File | undefined): void {
  const field = form.elements.namedItem(name);
  if (!file || !(field instanceof HTMLInputElement)) return;
  const chosen = new DataTransfer();
  chosen.items.add(file);
  field.files = chosen.files;
  field.closest("details")?.setAttribute("open", "");
}
