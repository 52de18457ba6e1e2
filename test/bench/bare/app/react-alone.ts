import { createElement, type ReactNode } from "react";
import { renderToReadableStream } from "react-dom/server";
import type { Tree } from "../../worker/html-tree";

/** Renders elements as they are: no components, no data, no router. */
export async function renderAlone(tree: Tree): Promise<Response> {
  const stream = await renderToReadableStream(elementOf(tree));
  return new Response(stream, { headers: { "Content-Type": "text/html; charset=utf-8" } });
}

function elementOf([tag, attributes, ...children]: Tree): ReactNode {
  if (tag === "script") {
    const html = { __html: String(children[0] ?? "") };
    return createElement(tag, { ...attributes, dangerouslySetInnerHTML: html });
  }
  const inner = children.map((child) => (typeof child === "string" ? child : elementOf(child)));
  return createElement(tag, attributes, ...inner);
}
