/** A field for a line of text. */
import type { ReactElement } from 'react';
import * as Aria from 'react-aria-components';
import { cx } from '../class-names.ts';
import css from './controls.module.css';
import { ariaLabelWhenHidden, Label, type Labelled } from './label.tsx';

export interface TextFieldProps extends Labelled {
  value: string;
  onChange: (value: string) => void;
  onSubmit?: () => void;
  description?: string;
  placeholder?: string;
  autoFocus?: boolean;
  isInvalid?: boolean;
  maxLength?: number;
  type?: 'text' | 'search' | 'email';
  inputMode?: 'numeric';
  autoComplete?: 'email' | 'one-time-code' | 'given-name' | 'organization-title';
}

export function TextField({
  label,
  hideLabel = false,
  description,
  placeholder,
  onSubmit,
  ...rest
}: TextFieldProps): ReactElement {
  return (
    <Aria.TextField
      className={cx(css['field'])}
      {...ariaLabelWhenHidden({ label, hideLabel })}
      {...rest}
      onKeyDown={(event) => {
        // Enter also ends what an input method composes, such as Pinyin.
        if (event.key === 'Enter' && onSubmit !== undefined && !event.nativeEvent.isComposing) onSubmit();
        else event.continuePropagation();
      }}
    >
      <Label label={label} hideLabel={hideLabel} />
      <Aria.Input className={cx(css['input'])} {...(placeholder === undefined ? {} : { placeholder })} />
      {description !== undefined && (
        <Aria.Text slot="description" className={cx(css['description'])}>
          {description}
        </Aria.Text>
      )}
    </Aria.TextField>
  );
}
