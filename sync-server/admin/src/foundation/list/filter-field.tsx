/** One filter of a list: a choice, a part of a text, or a day. */
import { Select } from '@parley/ui';
import type { ReactElement } from 'react';
import { MomentInput } from '../screen/moment-input.tsx';
import table from '../screen/table.module.css';
import { SearchField } from './search-field.tsx';
import { useTypedText } from './use-typed-text.ts';
import css from './list.module.css';

export type ListFilter = {
  /** The filter's name in the address. */
  id: string;
  label: string;
} & (
  | {
      /** The first option is the default. */
      options: readonly { value: string; label: string }[];
    }
  /** A part of a text, or a day such as `2026-11-23`. */
  | { type: 'text' | 'day' }
);

export function FilterField({
  filter,
  value,
  onChange,
}: {
  filter: ListFilter;
  /** Undefined when nothing is filtered. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}): ReactElement {
  const { label } = filter;
  if ('options' in filter) {
    const standard = filter.options[0]?.value;
    return (
      <div className={css['filter']}>
        <Select
          label={label}
          options={filter.options}
          value={value ?? standard ?? ''}
          onChange={(next) => onChange(next === standard ? undefined : next)}
        />
      </div>
    );
  }
  const changeText = (next: string): void => onChange(next === '' ? undefined : next);
  if (filter.type === 'text')
    return (
      <div className={css['text']}>
        <SearchField label={label} value={value ?? ''} onChange={changeText} />
      </div>
    );
  return <DayField label={label} value={value ?? ''} onChange={changeText} />;
}

interface DayFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/**
 * The value is passed on with a delay: when a browser's field is set again later to the value that it has just
 * reported, it loses the digits of the year typed so far.
 */
function DayField({ label, value, onChange }: DayFieldProps): ReactElement {
  const [day, change] = useTypedText(value, onChange);
  return (
    <label className={table['label']}>
      {label}
      <MomentInput className={table['input']} type="date" value={day} onChange={change} />
    </label>
  );
}
