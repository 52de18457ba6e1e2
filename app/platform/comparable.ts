export function comparable(name: string): string {
  // Unicode's compatibility caseless matching (3.13, D146); one round leaves rare letters apart.
  const once = folded(name.normalize("NFD")).normalize("NFKD");
  return folded(once).normalize("NFKD").trim().replace(/\s+/g, " ");
}

/** To upper case first, which turns "ß" into "SS". */
function folded(text: string): string {
  return text.toUpperCase().toLowerCase();
}
