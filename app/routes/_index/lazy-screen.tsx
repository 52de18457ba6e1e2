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
  let Ready = rendered;
  let Later = loadedScreen();
  function loadedScreen(): ElementType {
    return lazy(async () => {
      try {
        return { default: await load() };
      } catch (error) {
        Later = loadedScreen();
        throw error;
      }
    });
  }
  return {
    Screen(props) {
      // A boundary that a browser has yet to take over can be lost to the first update.
      if (Ready) return <Ready {...props} />;
      return (
        <Suspense>
          <Later {...props} />
        </Suspense>
      );
    },
    async preload() {
      Ready = await load();
    },
  };
}
