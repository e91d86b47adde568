import { TextField } from '@parley/ui';
import type { ReactElement } from 'react';
import { useTypedText } from './use-typed-text.ts';
import css from './list.module.css';

export function SearchField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}): ReactElement {
  const [text, change] = useTypedText(value, onChange);
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
