/**
 * Says what has changed, and takes the focus of the control that is gone. If a button took its place, a second press of
 * the key would activate it. Tab moves on to the next button.
 */
import { type ReactElement, type ReactNode, useEffect } from 'react';
import { useLostFocus } from './use-lost-focus.ts';

export interface ChangeNoticeProps {
  /** Whether to take the focus from a control that is still shown, but about to go. */
  autoFocus?: boolean;
  children: ReactNode;
}

export function ChangeNotice({ autoFocus = false, children }: ChangeNoticeProps): ReactElement {
  const notice = useLostFocus<HTMLSpanElement>();
  useEffect(() => {
    if (autoFocus) notice.current?.focus();
  }, [autoFocus, notice]);
  return (
    <span ref={notice} tabIndex={-1}>
      {children}
    </span>
  );
}
