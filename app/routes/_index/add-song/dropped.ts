/**
 * Puts files that were dropped on the page into the form's fields: of several the first song, and the first picture as
 * the cover. What is neither goes for the song, so that what is wrong with it is said.
 * @returns what is to be said of it.
 */
export function takeDropped(form: HTMLFormElement, files: File[]): string {
  const pictures = files.filter(isPicture);
  const songs = files.filter((file) => !isPicture(file));
  const song = songs.find(isSong) ?? songs[0];
  put(form, "cover", pictures[0]);
  put(form, "file", song);
  if (!song) return pictures.length > 0 ? "This picture is the cover of your song." : "";
  return songs.length > 1
    ? `One song goes at a time. “${song.name}” is chosen.`
    : `“${song.name}” is chosen.`;
}

function isPicture({ type, name }: File): boolean {
  return type.startsWith("image/") || /\.(jpe?g|png|webp|hei[cf])$/i.test(name);
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
  field.dispatchEvent(new Event("change", { bubbles: true }));
}
