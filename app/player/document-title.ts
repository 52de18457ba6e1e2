import { useEffect, useRef } from "react";

/** Names what plays in the document's title. The page's own one comes back afterwards. */
export function useDocumentTitle(name: string | null): void {
  const titles = useRef({ page: "", ours: "" }).current;
  // After each render, because another page has brought its own title.
  useEffect(() => {
    if (name === null) return;
    if (document.title !== titles.ours) titles.page = document.title;
    document.title = `${name} - Fivefold`;
    titles.ours = document.title;
  });
  useEffect(() => {
    if (name === null) return;
    return () => {
      if (document.title === titles.ours) document.title = titles.page;
    };
  }, [name, titles]);
}
