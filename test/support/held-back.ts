interface HeldBack {
  body: ReadableStream<Uint8Array>;
  wasAskedFor(): boolean;
  wasCancelled(): boolean;
}

/** The first byte comes at once, and the rest when the reader waits for it, after `meanwhile`. */
export function holdBack(text: string, meanwhile: () => Promise<unknown>): HeldBack {
  const bytes = new TextEncoder().encode(text);
  let isAskedFor = false;
  let isCancelled = false;
  let isFirst = true;
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      if (isFirst) {
        isFirst = false;
        controller.enqueue(bytes.slice(0, 1));
        return;
      }
      isAskedFor = true;
      await meanwhile();
      if (isCancelled) return;
      if (bytes.length > 1) controller.enqueue(bytes.slice(1));
      controller.close();
    },
    cancel() {
      isCancelled = true;
    },
  };
  const body = new ReadableStream(source, { highWaterMark: 0 });
  return { body, wasAskedFor: () => isAskedFor, wasCancelled: () => isCancelled };
}
