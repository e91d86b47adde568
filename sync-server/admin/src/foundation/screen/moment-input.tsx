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
 * A browser reports a field from which a part was deleted as empty. That is no choice: the former value holds until the field is complete
 * again or all of it is deleted, and comes back when the field is left. The browser forgets the parts that it has when a value is set, so
 * only another value is.
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

/** A field from which a part was deleted has the value of an empty one. */
function show(value: string, input: HTMLInputElement): void {
  if (input.value !== value || input.validity.badInput) input.value = value;
}
