/** i.scdn.co: the pictures that the Web API's answers link to. */
import { Hono } from "hono";
import { drawPicture } from "./picture.ts";

/** Drawing one takes some milliseconds. */
const drawn = new Map<string, Buffer>();

export function imageRoutes(): Hono {
  const app = new Hono();
  app.get("/:id", (c) => {
    const name = c.req.param("id");
    const [, kind, id = "", size] =
      /^(album|artist|user|playlist)-([\w-]+)-(\d{2,3})$/.exec(name) ?? [];
    if (!kind) return c.notFound();
    const picture = drawn.get(name) ?? drawPicture(kind, id, Number(size));
    drawn.set(name, picture);
    return c.body(new Uint8Array(picture), 200, {
      "Content-Type": "image/jpeg",
      "Cache-Control": "public, max-age=31536000, immutable",
      "Access-Control-Allow-Origin": "*",
      "Cross-Origin-Resource-Policy": "cross-origin",
    });
  });
  return app;
}
