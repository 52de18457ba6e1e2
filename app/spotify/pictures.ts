/** The fields of an answer, as the product reads it, that hold a picture's address. */
const pictureFields = ["artUrl", "imageUrl"];

/**
 * Removes pictures from an answer that the pages could not load: there is always something to show in
 * place of a picture.
 * @param origins of the pictures that pages may load, as in their Content-Security-Policy:
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

/** The pictures of several widths that the pages can load, and list in a `srcset`. */
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
