/** A field for a day, or for a day and a time, that may be left empty. */
import { DAY_CHOICE } from '@parley/domain';
import { type InputHTMLAttributes, type ReactElement, useEffect, useRef } from 'react';

interface MomentInputProps extends Omit<
  InputHTMLAttributes<HTMLInputElement>,
  'type' | 'value' | 'defaultValue' | 'onChange' | 'onBlur' | 'min' | 'max'
> {
  type: 'date' | 'datetime-local';
  /** Empty for none. */
  value: string;
  onChange: (value: string) => void;
}

/**
 * While one part of the field is missing, a browser reports the whole field as empty. That is not a choice: the former
 * value holds until the field is complete again or completely cleared, and is shown again when the field loses the
 * focus. Setting a value discards the parts typed so far, so it is set only when it differs.
 */
export function MomentInput({ type, value, onChange, ...props }: MomentInputProps): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current !== null) show(value, input.current);
  }, [value]);
  const timeOf = (day: string, time: string): string => (type === 'date' ? day : `${day}T${time}`);
  return (
    <input
      {...props}
      ref={input}
      type={type}
      min={timeOf(DAY_CHOICE.first, '00:00')}
      max={timeOf(DAY_CHOICE.last, '23:59')}
      defaultValue={value}
      onChange={({ target }) => {
        if (!target.validity.badInput) onChange(target.value);
      }}
      onBlur={({ target }) => show(value, target)}
    />
  );
}

/** A field with a missing part has the same value as an empty one. */
function show(value: string, input: HTMLInputElement): void {
  if (input.value !== value || input.validity.badInput) input.value = value;
}
