/** Loads what the first screen does not need while the window is idle, so that no screen, dialog or error message has to be loaded when it is wanted. */
import { router } from './router.tsx';

type Load = () => Promise<unknown>;

/** One after the other, each when the window is idle. Returns how to stop. */
export function preloadScreens(): () => void {
  const loads: Load[] = [
    () => import('../foundation/screen/error-banner.tsx'),
    () => import('./command-dialogs.tsx'),
    ...Object.values(router.routesById).flatMap(({ options: { component } }) =>
      component !== undefined && 'preload' in component && component.preload !== undefined
        ? [async () => component.preload?.()]
        : [],
    ),
  ];
  let request = 0;
  let isStopped = false;
  const loadInTurn = async (): Promise<void> => {
    for (const load of loads) {
      await new Promise((resolve) => {
        request = requestIdleCallback(resolve);
      });
      if (isStopped) return;
      try {
        await load();
      } catch {
        // It is loaded again when it is opened, and says there what is wrong.
      }
    }
  };
  void loadInTurn();
  return () => {
    isStopped = true;
    cancelIdleCallback(request);
  };
}
