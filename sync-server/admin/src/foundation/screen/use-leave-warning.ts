/** Lets the browser ask before the page is closed while an upload runs. Other screens may be opened, because what has arrived is kept. */
import { useEffect } from 'react';

export function useLeaveWarning(isBusy: boolean): void {
  useEffect(() => {
    if (!isBusy) return undefined;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    globalThis.addEventListener('beforeunload', warn);
    return () => globalThis.removeEventListener('beforeunload', warn);
  }, [isBusy]);
}
