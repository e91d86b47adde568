/** The button that goes on from here: it takes the focus when the control that had it has disappeared. */
import { Button } from '@parley/ui';
import type { ComponentProps, ReactElement } from 'react';
import { useLostFocus } from './use-lost-focus.ts';

export const NextStepButton = (props: ComponentProps<typeof Button>): ReactElement => (
  <Button {...props} ref={useLostFocus<HTMLButtonElement>()} />
);
