/** What is going to happen, in the order of its times; of two at once, what was added first. */
export class Agenda<Item> {
  #items: { at: number; item: Item }[] = [];

  add(at: number, item: Item): void {
    let place = this.#items.length;
    while (place > 0 && (this.#items[place - 1]?.at ?? 0) > at) place -= 1;
    this.#items.splice(place, 0, { at, item });
  }

  /** Takes the next item; null if there is none before a time. */
  next(before: number): { at: number; item: Item } | null {
    const [first] = this.#items;
    if (!first || first.at >= before) return null;
    this.#items.shift();
    return first;
  }
}
