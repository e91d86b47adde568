/** A single choice with its options side by side. */
import type { ReactElement } from 'react';
import * as Aria from 'react-aria-components';
import { cx } from '../class-names.ts';
import css from './controls.module.css';
import { Label } from './label.tsx';
import { type ChoiceProps, toAriaChoiceProps } from './options.ts';

export function SegmentedControl<Value extends string>(props: ChoiceProps<Value>): ReactElement {
  return (
    <Aria.RadioGroup {...toAriaChoiceProps(props)} orientation="horizontal">
      <Label {...props} />
      <div className={css['segments']}>
        {props.options.map((option) => (
          <Aria.Radio
            key={option.value}
            value={option.value}
            isDisabled={option.isDisabled ?? false}
            className={cx(css['segment'])}
          >
            {option.label}
          </Aria.Radio>
        ))}
      </div>
    </Aria.RadioGroup>
  );
}
