import { type ComponentType, type ElementType, lazy, Suspense } from "react";

/**
 * A screen whose code a browser loads when it first shows the screen, so that the carousel does not
 * wait for it. Until then what the server has rendered stays, or the screen before.
 * @param rendered the screen itself on the server; browsers have none.
 * @param load loads the screen in a browser. What could not be loaded is tried again the next time.
 */
export function lazyScreen<Props extends object>(
  rendered: ComponentType<Props> | undefined,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let Screen: ElementType = rendered ?? loadedScreen();
  function loadedScreen(): ElementType {
    return lazy(async () => {
      try {
        return { default: await load() };
      } catch (error) {
        Screen = loadedScreen();
        throw error;
      }
    });
  }
  return function LazyScreen(props) {
    return (
      <Suspense>
        <Screen {...props} />
      </Suspense>
    );
  };
}
