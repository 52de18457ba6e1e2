/** The fields of Spotify's answers, as the product reads them, that are a picture's address. */
const pictureFields = ["artUrl", "imageUrl"];

/**
 * Takes pictures that the pages would not show out of an answer. Links that lead elsewhere make an answer
 * unreadable; for a picture there is always something else to show.
 * @param origins where pages may load pictures from, as in their Content-Security-Policy:
 *   space-separated origins, or schemes (`https:`).
 */
export function withShownPictures<T>(item: T, origins: string): T {
  if (typeof item !== "object" || item === null) return item;
  const shown = Object.entries(item).map(([field, value]) => {
    if (field === "smallerArt") return [field, shownPictures(value, origins)];
    return [field, pictureFields.includes(field) && !isShown(value, origins) ? null : value];
  });
  return Object.fromEntries(shown);
}

/** The pictures of several widths without those that the pages would not show, or could not list. */
function shownPictures(byWidth: Record<number, string>, origins: string): Record<number, string> {
  const shown = Object.entries(byWidth).filter(
    ([, address]) => isShown(address, origins) && !/[\s,]/.test(address),
  );
  return Object.fromEntries(shown);
}

function isShown(address: unknown, origins: string): boolean {
  return origins
    .split(" ")
    .some((origin) =>
      String(address).startsWith(origin.endsWith(":") ? `${origin}//` : `${origin}/`),
    );
}
