/**
 * A combobox whose list of commands is always open below it: arrows select, Enter runs. Screen readers announce the
 * selected command while typing.
 */
import type { ReactElement } from 'react';
import * as Aria from 'react-aria-components';
import { cx } from '../class-names.ts';
import css from './controls.module.css';

export interface ListedCommand {
  id: string;
  title: string;
}

export interface CommandListProps {
  label: string;
  placeholder: string;
  commands: readonly ListedCommand[];
  matches: (title: string, typed: string) => boolean;
  onRun: (id: string) => void;
  /** Shown when nothing matches. */
  emptyText: string;
}

export function CommandList({
  label,
  placeholder,
  commands,
  matches,
  onRun,
  emptyText,
}: CommandListProps): ReactElement {
  return (
    <Aria.Autocomplete filter={matches}>
      <Aria.TextField aria-label={label} autoFocus className={cx(css['field'])}>
        <Aria.Input
          role="combobox"
          aria-expanded
          aria-haspopup="listbox"
          className={cx(css['input'])}
          placeholder={placeholder}
        />
      </Aria.TextField>
      <Aria.ListBox
        aria-label={label}
        className={cx(css['commandList'])}
        items={commands}
        onAction={(id) => onRun(String(id))}
        renderEmptyState={() => <p className={css['description']}>{emptyText}</p>}
      >
        {({ id, title }) => (
          <Aria.ListBoxItem id={id} textValue={title} className={cx(css['option'])}>
            {title}
          </Aria.ListBoxItem>
        )}
      </Aria.ListBox>
    </Aria.Autocomplete>
  );
}
