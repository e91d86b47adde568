/** A field for a line of text, or for a paragraph. */
import type { ReactElement } from 'react';
import * as Aria from 'react-aria-components';
import { cx } from '../class-names.ts';
import css from './controls.module.css';
import { ariaLabelWhenHidden, Label, type Labelled } from './label.tsx';

export interface TextFieldProps extends Labelled {
  value: string;
  onChange: (value: string) => void;
  onSubmit?: () => void;
  onBlur?: () => void;
  description?: string;
  placeholder?: string;
  autoFocus?: boolean;
  isInvalid?: boolean;
  maxLength?: number;
  /** Grows with its content. Enter submits, and Shift+Enter starts a new line. */
  isMultiline?: boolean;
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
  isMultiline = false,
  ...rest
}: TextFieldProps): ReactElement {
  return (
    <Aria.TextField
      className={cx(css['field'])}
      {...ariaLabelWhenHidden({ label, hideLabel })}
      {...rest}
      onKeyDown={(event) => {
        // Enter also confirms what an input method is composing, such as Pinyin.
        const submits = event.key === 'Enter' && !(isMultiline && event.shiftKey) && !event.nativeEvent.isComposing;
        if (!submits || onSubmit === undefined) return event.continuePropagation();
        if (isMultiline) event.preventDefault();
        onSubmit();
      }}
    >
      <Label label={label} hideLabel={hideLabel} />
      {isMultiline ? (
        <Aria.TextArea className={cx(css['input'], css['area'])} rows={2} />
      ) : (
        <Aria.Input className={cx(css['input'])} {...(placeholder === undefined ? {} : { placeholder })} />
      )}
      {description !== undefined && (
        <Aria.Text slot="description" className={cx(css['description'])}>
          {description}
        </Aria.Text>
      )}
    </Aria.TextField>
  );
}
