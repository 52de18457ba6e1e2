import { type ComponentType, type ElementType, lazy, Suspense } from "react";

/**
 * A screen whose code a browser loads when it first shows the screen, so that the carousel does not
 * wait for it. Until then the screen before stays.
 * @param rendered the screen itself on the server; browsers have none.
 * @param load loads the screen in a browser. What could not be loaded is tried again the next time.
 */
export function lazyScreen<Props extends object>(
  rendered: ComponentType<Props> | undefined,
  load: () => Promise<ComponentType<Props>>,
): { Screen: ComponentType<Props>; preload: () => Promise<void> } {
  let Current: ElementType = rendered ?? loadedScreen();
  function loadedScreen(): ElementType {
    return lazy(async () => {
      try {
        return { default: await load() };
      } catch (error) {
        Current = loadedScreen();
        throw error;
      }
    });
  }
  return {
    Screen: (props) => (
      <Suspense>
        <Current {...props} />
      </Suspense>
    ),
    async preload() {
      Current = await load();
    },
  };
}
