/** A setting that is on or off. */
import type { ReactElement, ReactNode } from 'react';
import * as Aria from 'react-aria-components';
import { cx } from '../class-names.ts';
import css from './controls.module.css';

export function Switch(props: {
  isSelected: boolean;
  onChange: (isOn: boolean) => void;
  children: ReactNode;
}): ReactElement {
  return (
    <Aria.Switch className={cx(css['switch'])} isSelected={props.isSelected} onChange={props.onChange}>
      <span className={css['track']} />
      <span>{props.children}</span>
    </Aria.Switch>
  );
}
