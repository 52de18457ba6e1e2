import { type RefObject, useEffect, useState } from "react";
import { postForm } from "~/components/form/post-form";
import { tinted } from "~/components/song/tinted";
import { toBase64Url } from "~/platform/base64";

interface DrawnCover {
  artUrl: string;
  tint: number;
}

/** The cover that is drawn for a file before it travels. The page of `within` takes its colour. */
export function useDrawnCover(within: RefObject<Element>, file: File | null) {
  const [cover, setCover] = useState<DrawnCover | null>(null);
  useEffect(() => {
    let isMeant = true;
    setCover(null);
    if (file) draw(file).then((drawn) => isMeant && setCover(drawn));
    return () => {
      isMeant = false;
    };
  }, [file]);
  useEffect(() => {
    const page = within.current?.closest(".page");
    if (!cover || !page) return;
    const colours = tinted(cover).split(" ");
    page.classList.add(...colours);
    return () => page.classList.remove(...colours);
  }, [cover, within]);
  return cover;
}

/** Null where the file cannot be read, or nobody answers: it is drawn later then. */
async function draw(file: File): Promise<DrawnCover | null> {
  try {
    const hash = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
    const { data } = await postForm("/recordings/cover", {
      hash: toBase64Url(new Uint8Array(hash)),
    });
    const { artUrl, tint } = data;
    return typeof artUrl === "string" && typeof tint === "number" ? { artUrl, tint } : null;
  } catch {
    return null;
  }
}
