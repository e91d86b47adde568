/**
 * One tab stop for a row of buttons, between which the arrow keys, Home and End move, as in a toolbar of the ARIA
 * Authoring Practices.
 */
import { type FocusEventHandler, type KeyboardEventHandler, useState } from 'react';

interface RovingFocus {
  /** For the element around the buttons. */
  onKeyDown: KeyboardEventHandler<HTMLElement>;
  /** For the button with this index. Indexes may have gaps. */
  buttonProps: (index: number) => { tabIndex: 0 | -1; onFocus: FocusEventHandler<HTMLElement> };
}

/** `first` is the index of the button that Tab reaches first. */
export function useRovingFocus(first = 0): RovingFocus {
  const [current, setCurrent] = useState(first);
  return {
    onKeyDown: (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const buttons = [...event.currentTarget.querySelectorAll('button')];
      const at = buttons.findIndex((button) => button === document.activeElement);
      const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: buttons.length - 1 }[event.key];
      if (next === undefined || at === -1) return;
      event.preventDefault();
      buttons[next]?.focus();
    },
    buttonProps: (index) => ({ tabIndex: index === current ? 0 : -1, onFocus: () => setCurrent(index) }),
  };
}
