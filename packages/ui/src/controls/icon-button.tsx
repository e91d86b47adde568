/** A button with an icon only; its action is the tooltip. */
import type { ReactElement } from 'react';
import * as Aria from 'react-aria-components';
import { cx } from '../class-names.ts';
import type { ButtonProps } from './button.tsx';
import css from './controls.module.css';
import { Icon, type IconName } from '../icons.tsx';

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'large' | 'icon' | 'label'> {
  icon: IconName;
  /** The action, for screen readers and the tooltip. */
  label: string;
}

export function IconButton({ variant = 'quiet', icon, label, ...rest }: IconButtonProps): ReactElement {
  return (
    <Aria.TooltipTrigger delay={500}>
      <Aria.Button className={cx(css['button'], css[variant], css['icon'])} aria-label={label} {...rest}>
        <Icon name={icon} />
      </Aria.Button>
      <Aria.Tooltip className={cx(css['popover'], css['tooltip'])}>{label}</Aria.Tooltip>
    </Aria.TooltipTrigger>
  );
}
