/** Opens the command palette (Ctrl+K or Cmd+K) and the list of shortcuts (?). Its dialogs are loaded when one of them is first opened. */
import { lazy, type ReactElement, Suspense, useEffect, useState } from 'react';
import type { ShownDialog } from './command-dialogs.tsx';

const CommandDialogs = lazy(async () => ({ default: (await import('./command-dialogs.tsx')).CommandDialogs }));

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, [contenteditable]') !== null;

export function CommandPalette(): ReactElement | null {
  const [shown, setShown] = useState<ShownDialog>(null);
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    const show = (dialog: ShownDialog): void => {
      setLoaded(true);
      setShown(dialog);
    };
    const openOnShortcut = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        show('commands');
      } else if (event.key === '?' && !isTyping(event.target)) show('shortcuts');
    };
    window.addEventListener('keydown', openOnShortcut);
    return () => window.removeEventListener('keydown', openOnShortcut);
  }, []);
  if (!isLoaded) return null;
  return (
    <Suspense>
      <CommandDialogs shown={shown} onShow={setShown} />
    </Suspense>
  );
}
