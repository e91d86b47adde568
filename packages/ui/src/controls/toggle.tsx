/** A button that stays pressed. */
import type { ReactElement, ReactNode } from 'react';
import * as Aria from 'react-aria-components';
import { cx } from '../class-names.ts';
import css from './controls.module.css';
import { Icon, type IconName } from '../icons.tsx';

export interface ToggleProps {
  icon: IconName;
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
  isDisabled?: boolean;
  children: ReactNode;
}

export function Toggle({ icon, children, ...rest }: ToggleProps): ReactElement {
  return (
    <Aria.ToggleButton className={cx(css['button'], css['secondary'], css['toggle'])} {...rest}>
      <Icon name={icon} />
      {children}
    </Aria.ToggleButton>
  );
}
