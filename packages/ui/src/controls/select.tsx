/** A single choice in a drop-down list. */
import type { ReactElement } from 'react';
import * as Aria from 'react-aria-components';
import { cx } from '../class-names.ts';
import css from './controls.module.css';
import { Label } from './label.tsx';
import { type ChoiceProps, toAriaChoiceProps } from './options.ts';

export function Select<Value extends string>(props: ChoiceProps<Value>): ReactElement {
  return (
    <Aria.Select {...toAriaChoiceProps(props)}>
      <Label {...props} />
      <Aria.Button className={cx(css['select'])}>
        <Aria.SelectValue />
        <span aria-hidden="true">▾</span>
      </Aria.Button>
      <Aria.Popover className={cx(css['popover'])}>
        <Aria.ListBox>
          {props.options.map((option) => (
            <Aria.ListBoxItem key={option.value} id={option.value} className={cx(css['option'])}>
              {option.label}
            </Aria.ListBoxItem>
          ))}
        </Aria.ListBox>
      </Aria.Popover>
    </Aria.Select>
  );
}
