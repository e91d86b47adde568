/**
 * While the window is idle, loads code that the first screen does not need, so that screens, dialogs and error messages
 * open without a delay.
 */
import { router } from './router.tsx';

type Load = () => Promise<unknown>;

/** Loads them one after the other, each when the window is idle. Returns a function that stops it. */
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
        // It is loaded again when it is opened, which then reports what is wrong.
      }
    }
  };
  void loadInTurn();
  return () => {
    isStopped = true;
    cancelIdleCallback(request);
  };
}
