import { TextField } from '@parley/ui';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import css from './list.module.css';

const SEARCH_DELAY_MS = 250;

/** Waits until typing pauses, so that the server is not asked for every letter. */
export function SearchField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}): ReactElement {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setText(value), [value]);
  const change = (next: string): void => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onChange(next), SEARCH_DELAY_MS);
  };
  return (
    <div className={css['search']}>
      <TextField
        label={label}
        type="search"
        value={text}
        onChange={change}
        maxLength={200}
        onSubmit={() => onChange(text)}
      />
    </div>
  );
}
