/** `counted(1, "song")` is "1 song", `counted(3, "song")` is "3 songs". */
export function counted(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

export function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0);
}

const ordinals = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];

/** "second", "21st". */
export function ordinal(n: number): string {
  const word = ordinals[n - 1];
  if (word) return word;
  const ending = n % 100 >= 11 && n % 100 <= 13 ? undefined : ["st", "nd", "rd"][(n % 10) - 1];
  return `${n}${ending ?? "th"}`;
}

const numberWords = "No One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve".split(" ");

/** For the beginning of a sentence. */
export function inWords(n: number): string {
  return numberWords[n] ?? String(n);
}
