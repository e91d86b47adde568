/** A dialog over the screen. */
import { type ReactElement, type ReactNode, useLayoutEffect, useRef } from 'react';
import * as Aria from 'react-aria-components';
import { cx } from '../class-names.ts';
import css from './controls.module.css';

export interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

export function Dialog({ title, isOpen, onClose, children }: DialogProps): ReactElement {
  const dialog = useRef<HTMLElement>(null);
  const lastTitle = useRef(title);
  // This happens before the next frame, in which the first button would take the focus and a second press would
  // activate it.
  useLayoutEffect(() => {
    if (lastTitle.current === title) return;
    lastTitle.current = title;
    if (dialog.current?.contains(document.activeElement) === false) dialog.current.focus();
  }, [title]);
  return (
    <Aria.ModalOverlay
      className={cx(css['overlay'])}
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Aria.Modal>
        {/* A dialog with a different question is a different dialog: it takes the focus, and is announced. */}
        <Aria.Dialog key={title} ref={dialog} className={cx(css['dialog'])}>
          <Aria.Heading slot="title">{title}</Aria.Heading>
          {children}
        </Aria.Dialog>
      </Aria.Modal>
    </Aria.ModalOverlay>
  );
}
