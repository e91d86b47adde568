/** Lets the browser ask before the page is closed while something runs that another screen of the panel does not stop for good. */
import { useEffect } from 'react';

export function useLeaveWarning(isBusy: boolean): void {
  useEffect(() => {
    if (!isBusy) return undefined;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    globalThis.addEventListener('beforeunload', warn);
    return () => globalThis.removeEventListener('beforeunload', warn);
  }, [isBusy]);
}
