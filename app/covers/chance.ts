export type Random = () => number;

/** sfc32, which is small, fast, and starts from 128 bits. */
export function randomOf(bytes: Uint8Array): Random {
  const view = new DataView(bytes.buffer);
  let a = view.getInt32(0);
  let b = view.getInt32(4);
  let c = view.getInt32(8);
  let d = view.getInt32(12);
  return () => {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 2 ** 32;
  };
}

export function pick<T>(random: Random, choices: readonly [T, ...T[]]): T {
  return choices[Math.floor(random() * choices.length)] ?? choices[0];
}

export function between(random: Random, least: number, most: number): number {
  return least + random() * (most - least);
}

export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
