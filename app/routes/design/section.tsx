import type { ReactNode } from "react";

/** A part of the design page with its heading; `id` is where the page's list of contents leads. */
export function Section({
  id,
  title,
  children,
}: {
  id: string;
  title: string;
  children: ReactNode;
}) {
  return (
    <section className="design-section" id={id}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** Something as it looks, over the names of the tokens or classes that make it so. */
export function Sample({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="design-sample">
      {children}
      <code>{name}</code>
    </div>
  );
}
