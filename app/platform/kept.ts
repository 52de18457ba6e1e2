/** What this browser keeps for later. One that keeps nothing has no storage, or throws where it is named or written. */

export function readKept(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // What is not kept is asked for again, or begins anew.
  }
}
